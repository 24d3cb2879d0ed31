import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPostOffice, type Received } from '../apps/server/testing/smtp.ts'
import { PORTS } from './served.ts'
import { freePort, startTestApp } from './world.ts'

/**
 * Before the first file of a run: one product for all of them, with demo data and a mail server. The workers get its
 * address by the environment; after the last file it ends.
 */
export default async function start() {
  const office = await openPostOffice()
  const [meta, register] = [await freePort(), await freePort()]
  const world = await startTestApp({
    ...office.env,
    GRAPH_API_URL: `http://127.0.0.1:${meta}`,
    CNPJ_URL: `http://127.0.0.1:${register}`,
    OUTBOUND_ALLOW: '127.0.0.1',
    MAPS_KEY: 'a-key',
    // all who come share an address
    REQUESTS_PER_MINUTE: '0',
  })
  const counter = await showLetters(office.letters)
  Object.assign(process.env, {
    E2E_URL: world.url,
    E2E_LOG: world.log,
    E2E_OFFICE: counter.url,
    [PORTS.meta]: String(meta),
    [PORTS.register]: String(register),
  })
  return async () => {
    counter.close()
    await world.stop()
    await office.close()
  }
}

/** The mail server runs in the process that starts the workers: they request its letters. */
async function showLetters(letters: Received[]) {
  const counter = createServer((_, response) => void response.end(JSON.stringify(letters)))
  await new Promise<void>(done => counter.listen(0, '127.0.0.1', done))
  const { port } = counter.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void counter.close() }
}
