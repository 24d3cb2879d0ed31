/** Newest names first: each browser also claims to be those it descends from. */
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Browser and system named in a user agent; null for an unknown one. */
export function deviceOf(userAgent: string): { browser: string; system: string } | null {
  const first = (known: [RegExp, string][]) => known.find(([sign]) => sign.test(userAgent))?.[1]
  const browser = first(browsers)
  const system = first(systems)
  return browser && system ? { browser, system } : null
}
