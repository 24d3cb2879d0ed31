import { setTimeout as sleep } from 'node:timers/promises'
import type { Size } from './dataset.ts'
import { inboundToScreen, type Stretch, sharesOf } from './live.ts'
import type { Driver } from './load.ts'
import { ask, openScreens, type Phone, phonesOf, post, until } from './screens.ts'

/** Who is led, all at once, and how far. */
const CUSTOMERS = 200
const DEPTH = 4
const COMPANY = 2
/** What others write meanwhile, a second. */
const BESIDE = 20
const SECONDS = 30
const SPEAKER = 'Passo'
/** How long the bot is seen typing before an answer leaves. */
const TYPING = 6

/** When each answer was committed, and how often. */
type Answers = Map<string, { at: number; times: number }>

/** How a crowd walks: who is led by whom, and what is wanted. */
interface Crowd {
  name: string
  /** The beginning of their numbers. */
  numbers: string
  /** Seconds between the commit of an answer and the next step; they begin within as long. */
  pause: number
  /** The p95 in milliseconds. */
  target: number
}

/** The answer is read when it is there: its typing time is awaited, and not counted. */
const PEOPLE: Crowd = {
  ...{ name: `${CUSTOMERS} customers down a tree of depth ${DEPTH}, each as the answers reach him` },
  ...{ numbers: '55119810', pause: TYPING, target: 150 },
}

/** The next step in the moment of the commit: no person is as fast. */
const RUSH: Crowd = {
  ...{ name: `${CUSTOMERS} at once down a tree of depth ${DEPTH}, each before the answer is sent` },
  ...{ numbers: '55119800', pause: 0, target: 5_000 },
}

/**
 * Customers walk the tree of a bot, first at human pace, then each next step when the answer to the last is committed:
 * its typing time has not begun then. During the first, customers of other companies write.
 */
export async function leadCrowd(driver: Driver, size: Size): Promise<Stretch[]> {
  const whatsappId = size.connections + COMPANY - 1
  await growTree(driver, whatsappId)
  const others = phonesOf(size).filter(({ company }) => company !== COMPANY)
  const screens = await openScreens(driver, size, size.companies)
  const answers: Answers = new Map()
  const heard = await openScreens(driver, { companies: COMPANY, users: 1 }, COMPANY)
  heard.listen((push, at) => {
    if (push.action !== 'create' || !push.message.body.startsWith(SPEAKER)) return
    const key = keyOf(push.message.body)
    const known = answers.get(key)
    answers.set(key, { at: known?.at ?? at, times: (known?.times ?? 0) + 1 })
  })
  const name = `inbound of ${others.length} other companies, ${BESIDE}/s`
  const inbound = (when: string) =>
    inboundToScreen(driver, screens, `${name}, ${when}`, others, { perSecond: BESIDE, seconds: SECONDS })
  const alone = await inbound('alone')
  const people = led(driver, whatsappId, answers, PEOPLE)
  const beside = await inbound(`beside ${CUSTOMERS} who are led`)
  const bar = Math.round(alone.p95 * 1.2)
  const stretches = [
    await people,
    await led(driver, whatsappId, answers, RUSH),
    alone,
    {
      ...beside,
      target: `p95 ≤ 1.2 × of alone (${bar} ms), none lost`,
      met: beside.met && beside.p95 <= bar,
    },
  ]
  for (const open of [screens, heard]) open.close()
  for (const stretch of stretches)
    console.log(`  ${stretch.name}: p95 ${stretch.p95} ms, lost ${stretch.lost}`)
  return stretches
}

/** A tree in which 1 leads a step down, and every answer names its step and its customer. */
async function growTree(driver: Driver, whatsappId: number): Promise<void> {
  const said = (step: number) => `${SPEAKER} ${step} {{cliente}}`
  await ask(driver, COMPANY, 'PUT', `/whatsapp/${whatsappId}`, { greetingMessage: said(0) })
  const { id: botSetupId } = await ask<{ id: number }>(driver, COMPANY, 'POST', '/BotSetup', {
    ...{ name: 'Árvore', typingTime: String(TYPING), burstSeconds: 0, whatsapps: [whatsappId] },
  })
  for (let step = 1; step <= DEPTH; step++)
    for (const last of [1, 2])
      await ask(driver, COMPANY, 'POST', `/bot/${COMPANY}`, {
        ...{ botSetupId, commandBot: `${'1.'.repeat(step - 1)}${last}`, commandType: step === DEPTH ? 1 : 2 },
        ...{ descriptionBot: `Opção ${last}`, showMessage: said(step) },
      })
}

async function led(driver: Driver, whatsappId: number, answers: Answers, crowd: Crowd): Promise<Stretch> {
  answers.clear()
  const walks = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, at) => {
      await sleep((crowd.pause * 1_000 * at) / CUSTOMERS)
      const phone = { company: COMPANY, whatsappId, number: `${crowd.numbers}${10_000 + at}` }
      return walk(driver, phone, answers, crowd.pause)
    }),
  )
  return told(crowd, walks.flat(), [...answers.values()])
}

/** The milliseconds of each step; null for an answer that did not come. */
async function walk(driver: Driver, phone: Phone, answers: Answers, pause: number) {
  const took: (number | null)[] = []
  for (let step = 0; step <= DEPTH; step++) {
    const began = performance.now()
    const name = `Cliente ${phone.number}`
    const said = { number: phone.number, name, body: step === 0 ? 'oi' : '1' }
    await post(driver, phone.company, `/simulator/${phone.whatsappId}/messages`, said)
    const key = `${SPEAKER} ${step} ${name}`
    await until(() => answers.has(key), 20)
    const answer = answers.get(key)
    took.push(answer ? answer.at - began : null)
    await sleep(pause * 1_000)
  }
  return took
}

const keyOf = (body: string) => body.split('\n')[0]!

function told(crowd: Crowd, walked: (number | null)[], answers: { at: number; times: number }[]): Stretch {
  const took = walked.filter(one => one !== null)
  const at = sharesOf(took)
  const lost = walked.length - took.length
  const doubled = answers.filter(({ times }) => times > 1).length
  const times = answers.map(answer => answer.at)
  return {
    name: `message to committed answer, ${crowd.name}`,
    target: `p95 ≤ ${crowd.target} ms, none lost`,
    met: at(0.95) <= crowd.target && lost + doubled === 0,
    ...{ sent: walked.length, refused: 0, lost, doubled },
    perSecond: Math.round((took.length / (Math.max(...times) - Math.min(...times))) * 1_000),
    ...{ p50: at(0.5), p95: at(0.95), p99: at(0.99) },
  }
}
