import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chipColors, contrast, format, mix, onSolid, parse, pillColors } from './colors.ts'
import { isDark, type ThemeName, themeNames } from './themes.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

const base = readFileSync(new URL('./base.css', import.meta.url), 'utf8')
/** How much of a mark is its colour. */
const markShare = Number(/mark \{[^}]*var\(--tertiary\) (\d+)%/.exec(base)?.[1]) / 100

const bubble = readFileSync(new URL('../features/messages/thread/bubble.module.css', import.meta.url), 'utf8')
const quote = /\.quote \{[^}]*background: color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, transparent\)/.exec(
  bubble,
)!
const quotedName = /\.quote strong \{[^}]*color: var\(--([\w-]+)\)/.exec(bubble)![1]!

/** The colours a theme's block declares, by token name. */
function tokensOf(theme: ThemeName): Record<string, string> {
  const block = css.match(new RegExp(`\\[data-theme=["']${theme}["']\\] \\{([^}]*)\\}`))?.[1] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(found => [found[1], found[2]]),
  )
}

const backgrounds = ['bg-canvas', 'bg-surface', 'bg-raised', 'bg-sunken', 'bg-hover', 'bg-selected']
const any = [...backgrounds, 'bubble-in', 'bubble-out']
const sheets = ['bg-surface', 'bg-canvas']

/** The contrast table of the visual direction (WCAG 2.2): foreground on background, and the minimum ratio. */
const pairs: [front: string, behind: string[], least: number][] = [
  ['text-1', any, 7],
  ['text-2', any, 4.5],
  ['text-3', any, 4.5],
  ['primary-text', backgrounds, 4.5],
  ['primary-on', ['primary'], 4.5],
  ['accent-on', ['tertiary'], 4.5],
  ['frame-text', ['secondary'], 7],
  ['frame-muted', ['secondary', 'frame-selected'], 4.5],
  ['success', [...any, 'success-soft'], 4.5],
  ['warning', [...any, 'warning-soft'], 4.5],
  ['error', [...any, 'error-soft'], 4.5],
  ['info', [...any, 'info-soft'], 4.5],
  ['error-on', ['error'], 4.5],
  ['ack-read', ['bubble-out'], 3],
  ['primary', sheets, 3],
  ['border-strong', [...sheets, 'bg-raised'], 3],
  ['frame-focus', ['secondary'], 3],
]

describe.each(themeNames)('%s', theme => {
  const tokens = tokensOf(theme)

  test('declares every token [GEN-019, ENTITY-002]', () => {
    expect(Object.keys(tokens)).toEqual(Object.keys(tokensOf('defaultTheme')))
    expect(Object.keys(tokens).length).toBeGreaterThan(35)
  })

  test.each(pairs)('%s can be read on %s', (front, behind, least) => {
    for (const ground of behind)
      expect(contrast(parse(tokens[front]!), parse(tokens[ground]!)), `on ${ground}`).toBeGreaterThanOrEqual(
        least,
      )
  })

  test('what a search found can be read under its mark', () => {
    for (const ground of ['bg-surface', 'bg-hover', 'bg-selected']) {
      const mark = mix(parse(tokens[ground]!), parse(tokens.tertiary!), markShare)
      expect(contrast(parse(tokens['text-1']!), mark), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('the name and the words of a quoted message can be read in both bubbles', () => {
    for (const ground of ['bubble-in', 'bubble-out']) {
      const behind = mix(parse(tokens[ground]!), parse(tokens[quote[1]!]!), Number(quote[2]) / 100)
      for (const front of [quotedName, 'text-1'])
        expect(contrast(parse(tokens[front]!), behind), `${front} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})

const steps = Array.from({ length: 16 }, (_, at) => at * 17)
const everyColor = steps.flatMap(red => steps.flatMap(green => steps.map(blue => format([red, green, blue]))))
const lowest = (of: (color: string) => number) =>
  everyColor.reduce((low, color) => Math.min(low, of(color)), 21)

const grounds = themeNames.flatMap(theme =>
  ['bg-surface', 'bg-canvas', 'bg-selected', 'bg-hover'].map(on => {
    const tokens = tokensOf(theme)
    const ground = {
      background: parse(tokens[on]!),
      ink: parse(tokens['text-1']!),
      strong: parse(tokens['border-strong']!),
      dark: isDark(theme),
    }
    return [theme, on, ground] as const
  }),
)

describe('4,096 colours a user may pick', () => {
  test.each(grounds)('%s %s: the words of chips and pills can be read', (_theme, _on, ground) => {
    const chip = lowest(color => {
      const { fill, text } = chipColors(color, ground)
      return contrast(parse(text), parse(fill))
    })
    const pill = lowest(color => contrast(parse(pillColors(color, ground).text), ground.background))
    expect(Math.min(chip, pill)).toBeGreaterThanOrEqual(4.55)
  })

  test.each(grounds)('%s %s: chips, their dots and pills stand off', (_theme, _on, ground) => {
    const shape = lowest(color => {
      const { fill, border, dotRing } = chipColors(color, ground)
      const fillSeen = border === 'transparent' ? contrast(parse(fill), ground.background) / 1.06 : 1
      const dotSeen = dotRing === 'transparent' ? contrast(parse(color), parse(fill)) / 1.6 : 1
      return Math.min(
        fillSeen,
        dotSeen,
        contrast(parse(pillColors(color, ground).border), ground.background) / 1.49,
      )
    })
    expect(shape).toBeGreaterThanOrEqual(1)
  })

  test('words on the solid colour are white or black, whichever can be read', () => {
    expect(lowest(color => contrast(parse(onSolid(color)), parse(color)))).toBeGreaterThanOrEqual(4.5)
  })
})

test('short and long ways to write a colour mean the same', () => {
  expect(parse('#1af')).toEqual(parse('#11AAFF'))
  expect(parse('#11aaff80')).toEqual(parse('#11aaff'))
})
