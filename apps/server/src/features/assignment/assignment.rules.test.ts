import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, type Dealing, deal, givable, type Waiting, whyWaits } from './assignment.rules.ts'

const by = (more: Partial<Dealing> = {}): Dealing => ({
  mode: 'rotation',
  capacity: null,
  ownerFirst: false,
  lastUserId: null,
  ...more,
})
const member = (id: number, open = 0, limited = false): Candidate => ({ id, open, limited })
const waiting = (id: number, more: Partial<Waiting> = {}): Waiting => ({
  id,
  ownerId: null,
  lastId: null,
  ...more,
})
const users = ({ picks }: ReturnType<typeof deal>) => picks.map(({ userId }) => userId)

test('tickets go round, or to who has the fewest open', () => {
  const some = [1, 2, 3].map(id => waiting(id))
  expect(users(deal(by({ lastUserId: 7 }), some, [member(5), member(7), member(9)]))).toEqual([9, 5, 7])
  expect(users(deal(by({ mode: 'least' }), some, [member(5, 2), member(7), member(9, 1)]))).toEqual([7, 7, 9])
})

test('the owner comes first, then who attended the contact last; absent or full ones leave it to the others', () => {
  const some = [waiting(1, { ownerId: 9, lastId: 7 }), waiting(2, { lastId: 7 }), waiting(3, { ownerId: 8 })]
  const members = [member(5), member(7), member(9)]
  const dealt = deal(by({ ownerFirst: true }), some, members)
  expect([users(dealt), dealt.lastUserId]).toEqual([[9, 7, 5], 5])
  expect(
    users(
      deal(by({ ownerFirst: true, capacity: 1 }), [waiting(1, { ownerId: 9 })], [member(5), member(9, 1)]),
    ),
  ).toEqual([5])
})

test('who sees only own customers gets no customer of another', () => {
  const limited = [member(5, 0, true)]
  expect(users(deal(by(), [waiting(1, { ownerId: 5 }), waiting(2)], limited))).toEqual([5, 5])
  expect(deal(by(), [waiting(1, { ownerId: 6 })], limited).picks).toEqual([])
  expect(whyWaits(6, { members: limited, capacity: null })).toBe('nobodyAvailable')
})

test('each ticket has one user or a reason, no user more than the capacity, and what is looked at can be given, whatever comes', () => {
  const members = fc.uniqueArray(fc.record({ id: fc.nat(30), open: fc.nat(6), limited: fc.boolean() }), {
    selector: ({ id }) => id,
    maxLength: 6,
  })
  const some = fc.array(fc.record({ ownerId: fc.option(fc.nat(30)), lastId: fc.option(fc.nat(30)) }), {
    maxLength: 40,
  })
  const rules = fc.record({
    mode: fc.constantFrom('rotation' as const, 'least' as const),
    capacity: fc.option(fc.integer({ min: 1, max: 8 })),
    ownerFirst: fc.boolean(),
    lastUserId: fc.option(fc.nat(30)),
  })
  fc.assert(
    fc.property(rules, some, members, (given, rows, people) => {
      const { capacity } = given
      const tickets = rows.map((row, id) => ({ id, ...row }))
      const { picks, members: after } = deal(given, tickets, people)
      expect(new Set(picks.map(({ ticketId }) => ticketId)).size).toBe(picks.length)
      const left = tickets.filter(({ id }) => !picks.some(({ ticketId }) => ticketId === id))
      for (const { ownerId } of left) expect(whyWaits(ownerId, { members: after, capacity })).not.toBeNull()
      for (const { id, open } of people) {
        const got = picks.filter(({ userId }) => userId === id).length
        expect(after.find(one => one.id === id)?.open).toBe(open + got)
        if (capacity !== null && got > 0) expect(open + got).toBeLessThanOrEqual(capacity)
      }
      const which = givable(people, capacity)
      const [first] = tickets.filter(
        ({ ownerId }) =>
          which !== 'none' && (which === 'all' || ownerId === null || which.owners.includes(ownerId)),
      )
      // the longest waiting of these is given: a look always gets on
      if (first) expect(picks[0]?.ticketId).toBeLessThanOrEqual(first.id)
      else expect(picks).toEqual([])
    }),
  )
})
