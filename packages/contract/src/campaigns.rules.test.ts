import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultButtons } from './campaignSetups.ts'
import {
  dayCapOf,
  endsAt,
  gapsOf,
  nextDeparture,
  opensAt,
  refusalsAfter,
  statusAfter,
  stopsAfter,
  turnOf,
} from './campaigns.rules.ts'
import { buttonsAsText, campaignText, seeded } from './campaigns.words.rules.ts'

const HOUR = 3_600_000

test('whatever the pace and the clock, no hour ever has more than the cap', () => {
  const pace = fc.record({
    cap: fc.integer({ min: 1, max: 30 }),
    gaps: fc.array(fc.integer({ min: 0, max: 900_000 }), { minLength: 50, maxLength: 120 }),
    late: fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 120, maxLength: 120 }),
  })
  fc.assert(
    fc.property(pace, ({ cap, gaps, late }) => {
      const left: number[] = []
      let [now, free] = [0, 0]
      for (const [at, gap] of gaps.entries()) {
        const planned = nextDeparture(now, free, [{ reason: 'hour', most: cap, windowMs: HOUR, left }])
        expect(planned.at).toBeGreaterThanOrEqual(Math.max(now, free))
        // a worker that comes late is no reason to hurry
        now = planned.at + late[at]!
        left.push(now)
        free = now + gap
      }
      for (const from of left)
        expect(left.filter(at => at >= from && at <= from + HOUR).length).toBeLessThanOrEqual(cap)
    }),
  )
})

test('nothing waits longer than it has to: with room and without a pause it is now', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 49 }), (most, used) => {
      const left = Array.from({ length: Math.min(used, most - 1) }, (_, at) => at)
      const cap = { reason: 'hour' as const, most, windowMs: HOUR, left }
      expect(nextDeparture(1_000, 0, [cap])).toEqual({ at: 1_000, waits: null })
    }),
  )
  const none = { reason: 'hour' as const, most: 0, windowMs: HOUR, left: [1, 2, 3] }
  expect(nextDeparture(10, 20, [none])).toEqual({ at: 20, waits: 'gap' })
})

test('the gaps lie within what the setup says (OP-89) [OP-89, CAMP-050]', () => {
  const pace = { tMin: 2, tMax: 10, interval: 30 }
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999_999, noNaN: true }), fraction => {
      const { withinPair, toNext } = gapsOf(pace, () => fraction)
      expect(withinPair).toBeGreaterThanOrEqual(2_000)
      expect(withinPair).toBeLessThanOrEqual(10_000)
      expect(toNext).toBeGreaterThanOrEqual(32_000)
      expect(toNext).toBeLessThanOrEqual(40_000)
    }),
  )
})

const clock = fc.integer({ min: 0, max: 1_439 }).map(at => `${pad(Math.floor(at / 60))}:${pad(at % 60)}`)
const pad = (at: number) => String(at).padStart(2, '0')
const moments = fc
  .integer({ min: 0, max: 60 * 24 * 400 })
  .map(at => new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString().slice(0, 16))

test('when it is closed it opens later, within a week and a day, and is open then', () => {
  const hours = fc.record({
    dailyFrom: fc.option(clock),
    dailyUntil: fc.option(clock),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
  })
  fc.assert(
    fc.property(hours, moments, (given, shown) => {
      const opens = opensAt(given, shown)
      if (opens === null) return
      expect(opens > shown).toBe(true)
      expect(Date.parse(`${opens}Z`) - Date.parse(`${shown}Z`)).toBeLessThanOrEqual(8 * 24 * HOUR)
      expect(opensAt(given, opens)).toBeNull()
    }),
  )
})

test('hours over midnight belong to the day on which they begin', () => {
  const fridayNight = { dailyFrom: '22:00', dailyUntil: '02:00', weekdays: [5] }
  expect(opensAt(fridayNight, '2026-11-21T01:59')).toBeNull()
  expect(opensAt(fridayNight, '2026-11-21T02:00')).toBe('2026-11-27T22:00')
})

test('young numbers begin slowly, those of the official API and of the simulator do not', () => {
  const day = (days: number) => dayCapOf('baileys', 0, days * 24 * HOUR, { warmUp: true })
  expect([0, 5, 10, 20, 40].map(day)).toEqual([20, 50, 100, 200, null])
  expect(dayCapOf('baileys', 0, 0, { warmUp: false })).toBeNull()
  expect(dayCapOf('cloud', 0, 0, { warmUp: true })).toBeNull()
})

test('neighbours get different texts, everybody evenly (OP-91) [OP-91]', () => {
  expect([0, 1, 2, 3, 4].map(at => turnOf(at, 3))).toEqual([0, 1, 2, 0, 1])
})

test('what is over stays over, and a pause of what never began changes nothing [OP-09, CAMP-039]', () => {
  expect(statusAfter('finalized', 'start')).toBeNull()
  expect(statusAfter('finalized', 'pause')).toBeNull()
  expect(statusAfter('finalized', 'finalized')).toBe('finalized')
  expect(statusAfter('created', 'pause')).toBe('created')
  expect(statusAfter('pause', 'start')).toBe('start')
})

test('refusals in a row stop it; what is the contact’s fault does not', () => {
  expect(stopsAfter('ERR_SENDING_WAPP_MSG', 4)).toBeNull()
  expect(stopsAfter('ERR_SENDING_WAPP_MSG', 5)).toBe('refused')
  expect(stopsAfter('ERR_WAPP_TOO_MANY', 1)).toBe('refused')
  expect(refusalsAfter(4, 'ERR_WAPP_INVALID_CONTACT')).toBe(4)
})

test('the end is told by pace, hour, day and opening hours', () => {
  const outlook = {
    people: 85,
    numbers: [{ dayCap: null }],
    pace: { tMin: 2, tMax: 10, interval: 30 },
    hourCap: null,
    hours: { dailyFrom: null, dailyUntil: null, weekdays: [] },
    shown: '2026-11-23T09:00',
  }
  expect(endsAt(outlook)).toBe('2026-11-23T10:00')
  expect(endsAt({ ...outlook, hourCap: 10 })).toBe('2026-11-23T17:30')
  const day = { dailyFrom: '08:00', dailyUntil: '09:30', weekdays: [1, 2, 3, 4, 5] }
  expect(endsAt({ ...outlook, hours: day })).toBe('2026-11-24T08:30')
  expect(endsAt({ ...outlook, people: 41, numbers: [{ dayCap: 20 }] })).toBe('2026-11-25T00:01')
  expect(endsAt({ ...outlook, numbers: [] })).toBeNull()
})

test('what has left within the hour and the day has its place in the estimate', () => {
  const outlook = {
    people: 5,
    numbers: [{ dayCap: null }],
    pace: { tMin: 2, tMax: 10, interval: 30 },
    hourCap: 10,
    hours: { dailyFrom: null, dailyUntil: null, weekdays: [] },
    shown: '2026-11-23T09:00',
  }
  expect(endsAt({ ...outlook, hourUsed: 5 })).toBe('2026-11-23T09:30')
  expect(endsAt({ ...outlook, hourUsed: 10 })).toBe('2026-11-23T10:30')
  // a plan above the number's limit delays no one before the limit is used up
  const wide = { ...outlook, people: 960, hourCap: 1_000 }
  expect(endsAt({ ...wide, hourUsed: 50 })).toBe(endsAt(wide))
  expect(endsAt({ ...wide, people: 85, hourUsed: 1_000 })).toBe('2026-11-23T11:00')
  const young = {
    ...outlook,
    hourCap: null,
    numbers: [
      { dayCap: 20, dayUsed: 18 },
      { dayCap: null, dayUsed: 0 },
    ],
  }
  expect(endsAt(young)).toBe('2026-11-23T09:02')
  expect(endsAt({ ...young, numbers: young.numbers.slice(0, 1) })).toBe('2026-11-24T00:03')
})

test('texts are filled, varied and never leave a place open', () => {
  const text = (written: string, values = {}) => campaignText(written, values, seeded(1))
  expect(text('Oi {{ Primeiro Nome }}, {{cidade|sua cidade}}', { primeiroNome: 'Ana' })).toEqual({
    text: 'Oi Ana, sua cidade',
    missing: [],
  })
  expect(text('Oi {{nome}}').missing).toEqual(['nome'])
  expect(text('Oi {{nome}}', { nome: '{a|b} {{x}}' }).text).toBe('Oi {a|b} {{x}}')
  expect(text('\\{a|b\\} {só}').text).toBe('{a|b} {só}')
  // a choice may begin with a placeholder
  expect(text('{{{nome}}|{{nome}}}', { nome: 'Ana' })).toEqual({ text: 'Ana', missing: [] })
  fc.assert(
    fc.property(fc.integer(), seed => {
      const { text: said } = campaignText('{Oi|Olá {meu|minha}} {{nome}}', { nome: 'Ana' }, seeded(seed))
      expect(['Oi Ana', 'Olá meu Ana', 'Olá minha Ana']).toContain(said)
    }),
  )
  fc.assert(fc.property(fc.string(), written => void text(written)))
})

test('where WhatsApp lets no buttons out they are numbered', () => {
  expect(buttonsAsText({ ...defaultButtons, footer: 'Lume' })).toBe(
    'Você tem interesse?\n\n1. Sim\n2. Não\n3. Talvez\n\n_Lume_',
  )
})
