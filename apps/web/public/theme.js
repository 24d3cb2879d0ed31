// Before the first paint, so that no other theme flashes: the content policy allows no script inside the page.
document.documentElement.dataset.theme = localStorage.getItem('preferredTheme') ?? 'defaultTheme'
