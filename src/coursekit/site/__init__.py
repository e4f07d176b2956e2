"""The course as static pages: every explorer, bet and exercise without a kernel."""
