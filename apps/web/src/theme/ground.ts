import { hexOf } from '@balcao/contract/colors.ts'
import { UNSET_QUEUE_COLOR } from '@balcao/contract/queues.ts'
import { type ChipColors, chipColors, type Ground, parse, pillColors } from './colors.ts'
import { isDark, type ThemeName, useThemeName } from './themes.ts'

export type On = 'bg-surface' | 'bg-selected' | 'bg-canvas' | 'bg-raised' | 'bg-hover'

const grounds = new Map<string, Ground>()

function groundOf(theme: ThemeName, on: On): Ground {
  const key = `${theme} ${on}`
  const known = grounds.get(key)
  if (known) return known
  const style = getComputedStyle(document.documentElement)
  const read = (token: string) => parse(style.getPropertyValue(`--${token}`).trim())
  const made = {
    background: read(on),
    ink: read('text-1'),
    strong: read('border-strong'),
    dark: isDark(theme),
  }
  grounds.set(key, made)
  return made
}

const made = new Map<string, ChipColors>()

/** Colours of a chip or pill on a surface of the theme; computed once for each. */
export function useChipColors(kind: 'chip' | 'pill', color: string, on: On): ChipColors {
  const theme = useThemeName()
  const key = `${theme} ${kind} ${color} ${on}`
  const known = made.get(key)
  if (known) return known
  const colors = (kind === 'chip' ? chipColors : pillColors)(
    hexOf(color) ?? UNSET_QUEUE_COLOR,
    groundOf(theme, on),
  )
  made.set(key, colors)
  return colors
}
