import { expect, test } from 'vitest'
import { brandTokens } from './brand.ts'
import { contrast, parse } from './colors.ts'

test.each(['#ffe600', '#25d366', '#e91e63', '#000', '#ffffff', '#0f6175'])(
  'an installation’s own colour %s can be read as text and under text',
  color => {
    const tokens = brandTokens(color)
    expect(
      contrast(parse(tokens['--primary-text']!), parse(tokens['--bg-selected']!)),
    ).toBeGreaterThanOrEqual(4.5)
    expect(contrast(parse(tokens['--primary-on']!), parse(tokens['--primary']!))).toBeGreaterThanOrEqual(4.5)
  },
)
