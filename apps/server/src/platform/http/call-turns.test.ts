import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { openCallTurns } from './call-turns.ts'

/** A call until its answer is sent. */
function openCall() {
  const raw = new EventEmitter()
  return { raw, answer: () => void raw.emit('close') }
}

/** Sixty callers of a company, each of whom calls again as soon as it was answered; what began is recorded. */
function flood(begin: (call: ReturnType<typeof openCall>) => Promise<void>, callers = 60) {
  const begun: ReturnType<typeof openCall>[] = []
  const call = () => {
    const one = openCall()
    void begin(one).then(() => begun.push(one))
  }
  for (let n = 0; n < callers; n++) call()
  return {
    begun,
    /** Answers all that began. */
    answer() {
      for (const one of begun.splice(0)) {
        one.answer()
        call()
      }
    },
  }
}
const settled = () => new Promise(setImmediate)

test('a company that calls without end has two calls under way while another calls, whose call begins at once', async () => {
  const turns = openCallTurns()
  const loud = flood(call => turns.ofCompany(1, call))
  await settled()
  expect(loud.begun.length).toBe(8)
  // for a tenth of a second it is no crowd; meanwhile the other may begin as well
  const until = performance.now() + 20_000
  while (loud.begun.length !== 2 && performance.now() < until) {
    loud.answer()
    const quiet = openCall()
    await turns.ofCompany(2, quiet)
    quiet.answer()
    await settled()
  }
  expect(loud.begun.length).toBe(2)
})

test('a call that is under way for long holds up none of its company', async () => {
  const turns = openCallTurns()
  const slow = flood(call => turns.ofCompany(1, call), 40)
  await new Promise<void>(done => {
    const look = setInterval(() => {
      if (slow.begun.length < 40) return
      clearInterval(look)
      done()
    }, 5)
  })
})

test('strangers take turns by network and delay no company; a flood is refused with a time to retry', async () => {
  const turns = openCallTurns()
  const networks = Array.from({ length: 30 }, (_, at) =>
    flood(call => turns.ofStranger(`10.0.0.${at}`, call), 5),
  )
  await settled()
  expect(networks.flatMap(({ begun }) => begun).length).toBeLessThanOrEqual(6)
  await turns.ofCompany(1, openCall())
  const refusals: unknown[] = []
  for (let n = 0; n < 1_100; n++) turns.ofCompany(3, openCall()).catch(error => refusals.push(error))
  await settled()
  expect(refusals.length).toBeGreaterThan(80)
  expect(refusals[0]).toMatchObject({ code: 'ERR_TOO_MANY_REQUESTS', retryAfter: 1 })
  await turns.ofCompany(2, openCall())
})

test('webhooks of a company without end delay neither its calls nor the webhooks of another', async () => {
  const turns = openCallTurns()
  const loud = flood(call => turns.ofWebhook(1, call))
  await settled()
  expect(loud.begun.length).toBe(32)
  await turns.ofWebhook(2, openCall())
  await turns.ofCompany(1, openCall())
  const until = performance.now() + 20_000
  while (loud.begun.length !== 2 && performance.now() < until) {
    loud.answer()
    const quiet = openCall()
    await turns.ofWebhook(2, quiet)
    quiet.answer()
    await settled()
  }
  expect(loud.begun.length).toBe(2)
})
