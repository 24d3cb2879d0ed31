/** Colour arithmetic on sRGB channels, linear mixing; the source of the rules is the product's visual direction. */
export type Rgb = readonly [number, number, number]

export function parse(color: string): Rgb {
  const hex = color.replace('#', '')
  const wide = hex.length <= 4 ? [...hex].map(digit => digit + digit).join('') : hex
  const part = (at: number) => Number.parseInt(wide.slice(at, at + 2), 16) || 0
  return [part(0), part(2), part(4)]
}

export const format = (color: Rgb) =>
  `#${color.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

export const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

function luminance(color: Rgb) {
  const linear = (part: number) => {
    const share = Math.round(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const [red, green, blue] = color
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG 2.2 contrast ratio. */
export function contrast(a: Rgb, b: Rgb) {
  const [light, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dim + 0.05)
}

const READABLE = 4.55

/** A colour as text on a background: moved toward the ink in steps of 2 % until it can be read. */
function readable(color: Rgb, on: Rgb, ink: Rgb): Rgb {
  for (let share = 0; share <= 1; share += 0.02) {
    const tried = mix(color, ink, share)
    if (contrast(tried, on) >= READABLE) return tried
  }
  return ink
}

export interface ChipColors {
  fill: string
  text: string
  border: string
  dotRing: string
}

export interface Ground {
  background: Rgb
  ink: Rgb
  strong: Rgb
  dark: boolean
}

/** A queue's filled chip: users pick any colour, it is never printed raw as text. */
export function chipColors(color: string, { background, ink, strong, dark }: Ground): ChipColors {
  const own = parse(color)
  const fill = parse(format(mix(background, own, dark ? 0.22 : 0.13)))
  const border = contrast(fill, background) < 1.06 ? format(mix(fill, strong, 0.5)) : 'transparent'
  const dotRing = contrast(own, fill) < 1.6 ? format(strong) : 'transparent'
  return { fill: format(fill), text: format(readable(own, fill, ink)), border, dotRing }
}

/** A tag's outlined pill. */
export function pillColors(color: string, { background, ink, strong, dark }: Ground): ChipColors {
  const own = parse(color)
  const line = mix(background, own, dark ? 0.55 : 0.45)
  const border = contrast(line, background) < 1.5 ? mix(background, strong, 0.7) : line
  return {
    fill: 'transparent',
    text: format(readable(own, background, ink)),
    border: format(border),
    dotRing: 'transparent',
  }
}

/** White or black on a solid colour. */
export const onSolid = (color: string) =>
  contrast(parse(color), [255, 255, 255]) >= 4.5 ? '#FFFFFF' : '#000000'
