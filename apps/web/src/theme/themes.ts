import { store, useStore } from '../platform/store.ts'

export const themeNames = [
  'defaultTheme',
  'floresta',
  'frutasvermelhas',
  'noturnoorange',
  'ceuazul',
  'dracula',
  'claro',
] as const
export type ThemeName = (typeof themeNames)[number]

const STORED = 'preferredTheme'
const dark: ReadonlySet<ThemeName> = new Set<ThemeName>(['noturnoorange', 'dracula'])
/** Chosen on this page; null until then, when the stored theme applies. */
const chosen = store<ThemeName | null>(null)

export const isDark = (theme: ThemeName) => dark.has(theme)

function read(): ThemeName {
  const stored = localStorage.getItem(STORED)
  return themeNames.find(name => name === stored) ?? 'defaultTheme'
}

/** Applies the stored theme; called before the first rendering. */
export function applyTheme(theme: ThemeName = read()) {
  document.documentElement.dataset.theme = theme
  document.documentElement.dataset.mantineColorScheme = isDark(theme) ? 'dark' : 'light'
}

export function chooseTheme(theme: ThemeName) {
  localStorage.setItem(STORED, theme)
  applyTheme(theme)
  chosen.write(theme)
}

/** A theme chosen in another tab of this browser applies in this one. */
export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key !== STORED) return
    applyTheme()
    chosen.write(read())
  })

export const useThemeName = (): ThemeName => useStore(chosen, now => now ?? read())
