/** Colours that are distinguishable at a glance; any other may be entered. */
export const swatches = {
  red: '#d32f2f',
  orange: '#e8710a',
  gold: '#b8860b',
  green: '#1b7844',
  teal: '#00838f',
  blue: '#1273de',
  violet: '#7a3ff2',
  pink: '#a31f52',
  brown: '#795548',
  grey: '#7c7c7c',
} as const
