import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { numberOf, QUIET, type Size } from './dataset.ts'
import { type Driver, drive, type Figure, type Request } from './load.ts'
import type { Judged } from './paths.ts'
import type { Place } from './place.ts'
import { pause } from './product.ts'

export const WEBHOOK = 'POST webhook of the official API'
/** Another one in each run: the data set may be kept. */
const PHONE = `${randomInt(10 ** 12, 10 ** 13)}`
const ADMIN = 1

/**
 * Signed calls of Meta: stored only while no process runs the number, then while its owner processes the backlog.
 * There the statements and the CPU time are those of the whole, until the backlog is empty. No request leaves this
 * machine.
 */
export async function driveWebhook(driver: Driver, place: Place, size: Size): Promise<Judged[]> {
  const token = await driver.as(1, ADMIN)
  const { id, path, appSecret } = await connect(driver, token)
  const post = (what: string, next: () => object) =>
    drive(driver, `${WEBHOOK}, ${what}`, token, () => signed(path, appSecret, next()))
  const kept = await post('written down', () => statusOf(size))
  await order(driver, token, 'start', id)
  await drained(place)
  const whole = (what: string, next: () => object) => workedOff(driver, place, () => post(what, next))
  return [
    judged(kept, 500),
    judged(await whole('a status each, worked off beside', () => statusOf(size)), 300),
    judged(await whole('a message each, worked off beside', () => messageOf(size)), 300),
  ]
}

/** What the calls cost until all of them are worked off. */
async function workedOff(driver: Driver, place: Place, drive: () => Promise<Figure>): Promise<Figure> {
  const read = async () => ({
    calls: await written(place),
    statements: await driver.product.metric('database_statements_total'),
    cpu: await driver.product.metric('process_cpu_seconds_total'),
    at: performance.now(),
  })
  const before = await read()
  const figure = await drive()
  const left = await drained(place)
  const after = await read()
  const [calls, seconds] = [after.calls - before.calls, (after.at - before.at) / 1000]
  const statements = after.statements - before.statements - driver.idleStatements * seconds
  console.log(
    `  ${figure.path}: ${calls} in ${seconds.toFixed(1)} s, the last ${left.toFixed(1)} s without calls`,
  )
  return {
    ...figure,
    requestsPerSecond: Math.round(calls / seconds),
    statements: Math.round((statements / calls) * 10) / 10,
    cpu: Math.round(((after.cpu - before.cpu) / calls) * 100_000) / 100,
  }
}

const written = async (place: Place) =>
  Number((await place.query<{ n: string }>('select count(*) as n from cloud_deliveries'))[0]!.n)

const judged = (figure: Figure, least: number): Judged => ({
  ...figure,
  target: `≥ ${least}/s`,
  met: figure.failures === 0 && figure.requestsPerSecond >= least,
})

/** A connection of the official API in the first company; it is not started. */
async function connect({ product }: Driver, token: string) {
  const [appSecret, verifyToken] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const answer = await fetch(`${product.url}/whatsapp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `Oficial ${PHONE}`,
      lib: 'cloud',
      cloud: {
        phoneNumberId: PHONE,
        businessAccountId: PHONE,
        accessToken: 'bench-token',
        appSecret,
        verifyToken,
      },
    }),
  })
  const added = (await answer.json()) as { id: number; cloud: { webhookPath: string } }
  if (!answer.ok) throw new Error(`no connection of the official API: ${JSON.stringify(added)}`)
  await order({ product }, token, 'stop', added.id)
  return { id: added.id, path: added.cloud.webhookPath, appSecret }
}

async function order(
  { product }: Pick<Driver, 'product'>,
  token: string,
  what: 'start' | 'stop',
  id: number,
) {
  const method = what === 'start' ? 'POST' : 'DELETE'
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${product.url}/whatsappsession/${id}`, { method, headers, body: '{}' })
  if (!answer.ok) throw new Error(`the connection did not ${what}: ${await answer.text()}`)
  await pause(2_000) // its owner looks every second
}

/** Waits until everything is worked off; answers the seconds it took. */
async function drained(place: Place) {
  const start = performance.now()
  for (;;) {
    const [row] = await place.query<{ left: string }>(
      'select count(*) as left from cloud_deliveries where handled_at is null',
    )
    if (Number(row!.left) === 0) return (performance.now() - start) / 1000
    if (performance.now() - start > 300_000) throw new Error(`${row!.left} webhooks are not worked off`)
    await pause(200)
  }
}

function signed(path: string, appSecret: string, value: object): Request {
  const metadata = { display_phone_number: '5511300000000', phone_number_id: PHONE }
  const body = {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: PHONE,
        changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }],
      },
    ],
  }
  const signature = createHmac('sha256', appSecret).update(JSON.stringify(body)).digest('hex')
  return { method: 'POST', path, body, headers: { 'x-hub-signature-256': `sha256=${signature}` } }
}

const wamid = () => `wamid.${randomBytes(24).toString('base64url')}`
const someone = (size: Size) => numberOf(randomInt(QUIET + 1, size.open))
const now = () => `${Math.floor(Date.now() / 1000)}`

const statusOf = (size: Size) => ({
  statuses: [{ id: wamid(), status: 'delivered', timestamp: now(), recipient_id: someone(size) }],
})

function messageOf(size: Size) {
  const from = someone(size)
  const text = { body: 'Bom dia! Meu pedido sai para entrega amanhã cedo?' }
  return {
    contacts: [{ profile: { name: 'Cliente' }, wa_id: from }],
    messages: [{ from, id: wamid(), timestamp: now(), type: 'text', text }],
  }
}
