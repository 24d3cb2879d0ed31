/** Preloaded into a process of a test: its clock is `TEST_CLOCK` seconds ahead of the machine's, or behind. */
const ms = Number(process.env.TEST_CLOCK) * 1_000
const Real = Date
globalThis.Date = new Proxy(Real, {
  construct: (date, given, target) =>
    Reflect.construct(date, given.length === 0 ? [Real.now() + ms] : given, target),
  apply: () => new Real(Real.now() + ms).toString(),
  get: (date, name) => (name === 'now' ? () => Real.now() + ms : Reflect.get(date, name)),
})
