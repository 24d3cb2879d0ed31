/** Window APIs that a page needs and the test environment lacks. */
export function quietPage() {
  const width = () => window.innerWidth
  Object.assign(window, {
    matchMedia: (media: string) => ({
      matches: isMet(media, width()),
      media,
      onchange: null,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => true,
    }),
    scrollTo() {},
    ResizeObserver: class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
    AudioContext: SilentAudio,
  })
  // what is drawn nowhere has no size: a virtual list would show none of its rows
  for (const [name, size] of [
    ['offsetHeight', 900],
    ['offsetWidth', 1440],
    ['clientHeight', 900],
    ['clientWidth', 1440],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size })
  Element.prototype.scrollIntoView = () => {}
  Element.prototype.getAnimations ??= () => []
  document.getAnimations ??= () => []
  Object.assign(document, {
    fonts: { ready: Promise.resolve(), addEventListener() {}, removeEventListener() {} },
  })
}

/** Plays tones silently. */
class SilentAudio {
  state = 'running'
  currentTime = 0
  destination = {}
  createOscillator = () => ({
    frequency: { value: 0 },
    connect: (to: unknown) => to,
    start() {},
    stop() {},
  })
  createGain = () => ({
    gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    connect() {},
  })
}

function isMet(media: string, width: number): boolean {
  if (/prefers-reduced-motion/.test(media)) return true
  const most = /max-width:\s*([\d.]+)(px|em)/.exec(media)
  const least = /min-width:\s*([\d.]+)(px|em)/.exec(media)
  const inPixels = ([, size, unit]: RegExpExecArray) => Number(size) * (unit === 'em' ? 16 : 1)
  if (!most && !least) return false
  return (!most || width <= inPixels(most)) && (!least || width >= inPixels(least))
}
