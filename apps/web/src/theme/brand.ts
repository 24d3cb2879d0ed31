import { contrast, format, mix, onSolid, parse, type Rgb } from './colors.ts'

const READABLE = 4.55
/** Shares of the primary in what is selected and hovered, on the light sheet of the default theme. */
const [SELECTED, HOVERED] = [0.1, 0.045]
const [SURFACE, INK]: [Rgb, Rgb] = [parse('#FFFFFF'), parse('#14242B')]

/** The tokens that follow from an installation's own primary colour; they replace those of the default theme. */
export function brandTokens(color: string): Record<string, string> {
  const primary = parse(color)
  const selected = mix(SURFACE, primary, SELECTED)
  let text: Rgb = primary
  for (let share = 0; share <= 1 && contrast(text, selected) < READABLE; share += 0.02)
    text = mix(primary, INK, share)
  return {
    '--primary': format(primary),
    '--primary-on': onSolid(format(primary)),
    '--primary-text': format(text),
    '--bg-selected': format(selected),
    '--bg-hover': format(mix(SURFACE, primary, HOVERED)),
  }
}

/** Sets an installation's primary colour in the default theme. */
export function brand(color: string) {
  const sheet = new CSSStyleSheet()
  const tokens = Object.entries(brandTokens(color)).map(([name, value]) => `${name}: ${value};`)
  sheet.replaceSync(`:root:not([data-theme]), [data-theme='defaultTheme'] { ${tokens.join(' ')} }`)
  document.adoptedStyleSheets = [sheet]
}
