// Before the first paint, so that nobody is dazzled: the content policy allows no script inside the page.
document.documentElement.dataset.theme = localStorage.getItem('preferredTheme') ?? 'defaultTheme'
