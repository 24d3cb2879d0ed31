import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { Chat } from '../../driver.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { changeContact, linkIdentifiers, recognize } from './contacts.actions.ts'
import { contactsBehind, identifiersOf } from './contacts.identifiers.queries.ts'
import { nameFromNetwork } from './contacts.profile.actions.ts'

let app: TestApp
let shop: Scope
beforeAll(async () => {
  app = await openTestApp()
  const { user } = await app.as('admin@balcao.test')
  shop = app.platform.scopes.inCompany(user.companyId)
})
afterAll(() => app.close())

const NEWS = ['writes', 'is in the book', 'has a username', 'is linked', 'is named by a user'] as const
interface Step {
  what: (typeof NEWS)[number]
  address: 'lid' | 'phone' | 'both'
  name: string
  username?: string | undefined
}
const stepOf = (what: Step['what'][], address: Step['address'][]): fc.Arbitrary<Step> =>
  fc.record({
    what: fc.constantFrom(...what),
    address: fc.constantFrom(...address),
    name: fc.constantFrom('', '', 'Ana', 'Ana Maria'),
    username: fc.constantFrom(undefined, 'ana.m', 'ana.2'),
  })
/** Two contacts, which turn out to be one. */
const walk = fc
  .tuple(
    fc.array(
      stepOf(
        NEWS.filter(what => what !== 'is linked'),
        ['lid', 'phone'],
      ),
      { minLength: 2, maxLength: 6 },
    ),
    fc.array(stepOf([...NEWS], ['both', 'lid', 'phone']), { minLength: 1, maxLength: 4 }),
  )
  .map(([apart, joined]) => [...apart, ...joined])

const LATE_USERNAME: [('lid' | 'phone')[], Step[]] = [
  ['lid', 'phone'],
  [
    { what: 'is named by a user', address: 'phone', name: '' },
    { what: 'writes', address: 'both', name: '', username: 'ana.m' },
  ],
]

test('a name that a user wrote stays, in whatever order the network names a person under a LID and a number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray<'lid' | 'phone'>(['lid', 'phone']), walk, async (first, steps) => {
      const person = newPerson()
      for (const address of first) await shop.transaction(tx => recognize(tx, person[address], ''))
      let written: string[] = []
      for (const [at, one] of steps.entries()) {
        if (one.what === 'is named by a user')
          written = await nameByUser(person[one.address], written, `Cliente ${at}`)
        else await shop.transaction(tx => follow(tx, person, one))
        const names = await namesOf(person.both)
        expect(written.filter(name => names.includes(name)).length).toBe(
          Math.min(written.length, names.length),
        )
        // of two that turned out to be one person one name is left
        written = written.filter(name => names.includes(name))
      }
    }),
    { numRuns: 15, examples: [LATE_USERNAME] },
  )
})

function newPerson(): Record<Step['address'], Chat> {
  const [lid, phone] = [`7711${unique()}00`, newNumber()]
  return {
    lid: { kind: 'lid', value: lid },
    phone: { kind: 'phone', value: phone },
    both: { kind: 'lid', value: lid, also: { kind: 'phone', value: phone } },
  }
}

async function follow(
  tx: Tx,
  person: Record<Step['address'], Chat>,
  { what, address, name, username }: Step,
) {
  const chat = { ...person[address], ...(username && { username }) }
  if (what === 'writes') await recognize(tx, chat, name)
  if (what === 'is in the book') await nameFromNetwork(tx, person[address], name)
  if (what === 'has a username') await nameFromNetwork(tx, chat, '')
  if (what === 'is linked') await linkIdentifiers(tx, { ...person.both, ...(username && { username }) })
}

/** Names the contact behind an address, where there is one; answers the names that users wrote by then. */
async function nameByUser(chat: Chat, written: string[], name: string): Promise<string[]> {
  const [contact] = await shop.read(tx => contactsBehind(tx, identifiersOf(chat)))
  if (!contact) return written
  await changeContact(shop, contact.id, { name })
  return [...written.filter(other => other !== contact.name), name]
}

const namesOf = async (chat: Chat) =>
  (await shop.read(tx => contactsBehind(tx, identifiersOf(chat)))).map(({ name }) => name)
