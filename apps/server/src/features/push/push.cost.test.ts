import { push } from '@balcao/contract/push.ts'
import { afterAll, beforeAll, test } from 'vitest'
import { type PushService, startPushService } from '../../../testing/push-receiver.ts'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { itemsOf } from '../../platform/features.ts'
import { product } from '../../product.ts'
import { firstDay } from '../../seed/first-start.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'

let app: TestApp
let admin: Person
let stranger: Person
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  // no other statements reach the database meanwhile
  const features = product.features.map(feature => ({ ...feature, jobs: itemsOf([feature], 'job') }))
  app = await openTestApp(
    { OUTBOUND_ALLOW: '127.0.0.1' },
    { product: { ...product, features, roles: [], seed: firstDay } },
  )
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(async () => {
  await app.close()
  service.close()
})

/** Number of statements to receive a message. */
async function cost() {
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const ticketId = await rowsOf(app, admin).ticket()
  const { contact } = (await scope.read(tx => loadTicket(tx, ticketId)))!
  const before = app.database.statements()
  await scope.transaction(tx =>
    receiveMessage(tx, admin.user.whatsappId!, {
      ...{ kind: 'message', chat: { kind: 'phone', value: contact.number }, externalId: newNumber() },
      ...{ fromMe: false, name: 'Rita', body: 'Oi', mediaType: null, at: new Date().toISOString() },
    }),
  )
  return app.database.statements() - before
}

test('a company without devices pays no statement for them, also where others have some; who has one pays one', async () => {
  const register = (who: Person) => who.get(push.subscribe, { body: service.browser().subscription })
  await register(stranger)
  // until it is known who has any
  const without = await until(async () => {
    const [one, two] = [await cost(), await cost()]
    return one === two && one
  })
  await register(admin)
  // who has devices is looked for again now and then, beside whoever asks
  await until(async () => (await cost()) === without + 1)
})
