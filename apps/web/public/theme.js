// Before the first paint, so that no other theme flashes: the content policy allows no script inside the page.
document.documentElement.dataset.theme = localStorage.getItem('preferredTheme') ?? 'defaultTheme'

// the browser offers the installation once, maybe before the app listens (decision 128)
addEventListener('beforeinstallprompt', event => {
  globalThis.installOffer = event
})
