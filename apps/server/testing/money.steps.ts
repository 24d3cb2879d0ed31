import fc from 'fast-check'

/** One thing that happens to the money of a company. `at` counts invoices or payments from the newest. */
export type Action =
  | { do: 'pass'; days: number }
  /** `isOrdered`: by a user whom the operator trusts nothing, so that a dearer plan waits until it is paid. */
  | { do: 'change'; to: number; when: 'now' | 'next'; isOrdered?: boolean }
  /** A plan on sale costs so many percent from now on, with other limits; or it is taken off sale, and put back. */
  | { do: 'reprice'; to: number; percent: number }
  | { do: 'retire'; to: number }
  /** The same of the company's own plan. */
  | { do: 'editOwn'; percent: number }
  | { do: 'keep' }
  /** `part`: one that is entered as a sum; else all that is owed. */
  | { do: 'hand'; at: number; part: number | null }
  | { do: 'undo'; at: number }
  | { do: 'cancel'; at: number }
  | { do: 'remove'; at: number }
  /** The payer pays the charge of an invoice. `part`: the provider reports another sum. */
  | { do: 'collect'; at: number; isPromised: boolean }
  /** Something that the provider reported of a charge comes once more. */
  | { do: 'again'; at: number }
  /** The provider gives money back in its panel; null: all. */
  | { do: 'return'; at: number; cents: number | null }
  /** The payer's bank takes all of it back for good. */
  | { do: 'lose'; at: number }
  /** The town issues the fiscal note of a payment. */
  | { do: 'note'; at: number }
  /** The company is deleted with everything of it; afterwards nothing comes but what providers report. */
  | { do: 'erase' }
  /** A master says what that was. */
  | { do: 'answer'; isGift: boolean }
  | { do: 'gone'; at: number }
  /** A master gives back what was paid of an invoice; null: all. */
  | { do: 'giveBack'; at: number; part: number | null; isGift: boolean }
  /** What a master does with the free cents of a payment. */
  | { do: 'free'; at: number; how: 'credit' | 'refund' | 'assign' }
  | { do: 'pause'; days: number | null }
  | { do: 'resume' }
  | { do: 'switch' }
  | { do: 'prolong'; days: number }
  | { do: 'takeUp' }
  /** The subscription is ended, and that is withdrawn. */
  | { do: 'end' }
  | { do: 'goOn' }
  | { do: 'readjust'; percent: string; days: number }
  | { do: 'withdraw' }
  /** A master sets the first day that is billed. */
  | { do: 'start'; days: number }
  /** A master charges a sum apart from periods, or reduces the next ones. */
  | { do: 'chargeOnce'; cents: number }
  | { do: 'reduce'; percent: number; periods: number }

/** `dies`: the process dies at that statement, and the action is done again. `twice`: from two tabs at once, or after a lost answer. */
export type MoneyStep = Action & { dies?: number; twice?: 'tabs' | 'after' }

const at = fc.nat(3)
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      to: fc.nat(3),
      when: fc.constantFrom('now' as const, 'next' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      to: fc.nat(3),
      when: fc.constant('now' as const),
      isOrdered: fc.constant(true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reprice' as const),
      to: fc.nat(3),
      percent: fc.constantFrom(50, 90, 120, 300),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retire' as const), to: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('editOwn' as const), percent: fc.constantFrom(50, 90, 120, 300) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('lose' as const, 'note' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('hand' as const),
      at,
      part: fc.option(fc.constantFrom(1_001, 9_990, 20_000), { nil: null }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'cancel' as const, 'remove' as const), at }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('collect' as const), at, isPromised: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('again' as const, 'gone' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      at,
      cents: fc.option(fc.integer({ min: 1, max: 12_000 }), { nil: null }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('answer' as const), isGift: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('free' as const),
      at,
      how: fc.constantFrom('credit' as const, 'refund' as const, 'assign' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('giveBack' as const),
      at,
      part: fc.option(fc.constantFrom(500, 3_333, 9_990), { nil: null }),
      isGift: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pause' as const),
      days: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('resume' as const, 'switch' as const, 'takeUp' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('chargeOnce' as const),
      cents: fc.constantFrom(700, 5_000, 35_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reduce' as const),
      percent: fc.constantFrom(10, 33, 99),
      periods: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'goOn' as const, 'withdraw' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('readjust' as const),
      percent: fc.constantFrom('4,62', '-10', '100'),
      days: fc.integer({ min: 30, max: 50 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('start' as const), days: fc.integer({ min: -70, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('prolong' as const), days: fc.integer({ min: 1, max: 30 }) }),
  },
)

const step = fc
  .tuple(
    action,
    fc.option(fc.nat(30), { nil: undefined, freq: 3 }),
    fc.option(fc.constantFrom('tabs' as const, 'after' as const), { nil: undefined, freq: 4 }),
  )
  .map(
    ([one, dies, twice]): MoneyStep => ({
      ...one,
      ...(dies !== undefined && { dies }),
      ...(twice && { twice }),
    }),
  )

/** What comes of a company that is deleted. */
const reported: fc.Arbitrary<MoneyStep> = fc.oneof(
  fc.record({ do: fc.constantFrom('again' as const, 'lose' as const), at }),
  fc.record({ do: fc.constant('collect' as const), at, isPromised: fc.boolean() }),
  fc.record({ do: fc.constant('return' as const), at, cents: fc.integer({ min: 1, max: 12_000 }) }),
)
const end = fc.array(reported, { maxLength: 5 }).map((all): MoneyStep[] => [{ do: 'erase' }, ...all])

export const moneySteps = (most: number): fc.Arbitrary<MoneyStep[]> =>
  fc
    .tuple(fc.array(step, { maxLength: most, size: 'max' }), fc.option(end, { nil: [] }))
    .map(([life, last]) => [...life, ...last])
