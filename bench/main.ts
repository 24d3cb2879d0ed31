import { parseArgs } from 'node:util'
import { JOINED, POSTED } from './bare.ts'
import { BILLING, driveBilling } from './billing.ts'
import { leadCrowd } from './bots.ts'
import { CAMPAIGNS, driveCampaigns } from './campaigns.ts'
import { CLIENTS, driveClients } from './clients.ts'
import { CONTACTS, driveContacts } from './contacts.ts'
import { sizeOf } from './dataset.ts'
import { driveFelt } from './felt.ts'
import { inboundToScreen } from './live.ts'
import { type Driver, openDriver } from './load.ts'
import { driveNeighbour, NEIGHBOUR } from './neighbour.ts'
import { drivePaths, driveUnderLogins } from './paths.ts'
import { inFolder, onServer, type Place, serverUrl } from './place.ts'
import { drivePresence, PRESENCE } from './presence.ts'
import { type Product, startBare, startProduct } from './product.ts'
import { driveSends, SENDS } from './publicApi.ts'
import { type Single, tell, tellCompared } from './report.ts'
import { DASHBOARD, driveReports } from './reports.ts'
import { measureRest } from './rest.ts'
import { crowdOf, openScreens, phonesOf } from './screens.ts'
import { scrollFar } from './scroll.ts'
import { type Starts, timeStarts } from './start.ts'
import { countPut, sustain } from './sustained.ts'
import { ASSIGNMENT, CLOCKS, driveAssignment, driveClocks } from './team.ts'
import { driveWebhook, WEBHOOK } from './webhook.ts'
import { BUDGET, measureStore, measureTickets, STORE_BUDGET } from './weight.ts'

const { values: asked } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    scale: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    compare: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** Meta is not called. */
const NOBODY = 'http://127.0.0.1:9'

const usage = `npm run bench -- [options]
  --embedded       the product's own PostgreSQL in a folder, instead of the server at BENCH_DATABASE_URL
  --scale 0.1      a part of the data set (default 1; 0.1 with --embedded)
  --seconds 5      how long each path is driven
  --long           ten minutes of sustained traffic instead of twenty seconds
  --only WORDS     only paths whose name contains the words; "live", "campaigns", "bots", "assignment", "presence", "felt" (a part of it: "felt: click", "type", "cold" or "read"), "scroll", "start", "rest" and "weight" are the others
  --compare        put the shares of the bare rows beside those of bench/report.json, which stays; fails where one is below 0.85 of it
  --keep           keep the data set, and use the one kept before
  --profile DIR    write a CPU profile of the server there`

/** A little more than required, since the last ones are slow. */
const PACE = asked.long ? 410 : 480

const scale = Number(asked.scale ?? (asked.embedded ? 0.1 : 1))
const size = sizeOf(scale)
const wants = (part: string) =>
  !asked.only || part.includes(asked.only) || (asked.compare && (part === JOINED || part === POSTED))

async function bench() {
  const place = asked.embedded ? inFolder() : await onServer(serverUrl())
  try {
    console.log(`${place.name}, scale ${scale}`)
    const took = await place.fill(size)
    console.log(took ? `filled in ${took.toFixed(1)} s` : 'kept from an earlier run')
    const { singles, ...rows } = await measure(place)
    const report = { database: place.name, scale, ...rows, singles: [...singles, ...(await measureOnce())] }
    if (!asked.compare) tell(report)
    else if (!tellCompared(report)) process.exitCode = 1
  } finally {
    await place.remove()
  }
}

async function measure(place: Place) {
  const product = await startProduct({ ...place.env, GRAPH_API_URL: NOBODY, REQUESTS_PER_MINUTE: '0' })
  const bare = asked.embedded ? null : await startBare(place.env)
  let running = true
  const stop = async () => {
    if (!running) return
    running = false
    await bare?.stop()
    await product.stop()
  }
  try {
    const driver = await openDriver(product, bare, Number(asked.seconds))
    const paths = await drivePaths(driver, place, size, wants)
    if (wants('POST /auth/login')) paths.push(...(await driveUnderLogins(driver, size)))
    if (wants(NEIGHBOUR)) paths.push(...(await driveNeighbour(driver, size)))
    if (wants(SENDS)) paths.push(...(await driveSends(driver, size)))
    if (wants(CLIENTS)) paths.push(...(await driveClients(driver, place, size)))
    if (wants(WEBHOOK)) paths.push(...(await driveWebhook(driver, place, size)))
    if (wants(CLOCKS)) paths.push(...(await driveClocks(driver, place, size)))
    if (wants(DASHBOARD)) paths.push(...(await driveReports(driver, place, size)))
    const lists = wants(CONTACTS) ? await driveContacts(driver, place, size) : { paths: [], upload: [] }
    paths.push(...lists.paths)
    const sends =
      wants(CAMPAIGNS) && !asked.embedded
        ? await driveCampaigns(driver, place, size)
        : { paths: [], singles: [] }
    paths.push(...sends.paths)
    const live = wants('live') ? await measureLive(driver) : null
    const led = wants('bots') ? await leadCrowd(driver, size) : []
    const billed = wants(BILLING) ? await driveBilling(driver, place, size) : []
    const team = [
      ...(wants(ASSIGNMENT) ? await driveAssignment(driver, place, size) : []),
      ...(wants(PRESENCE) ? await drivePresence(driver, place, size) : []),
    ]
    // a comparison prints paths alone
    for (const { name, value } of team) console.log(`  ${name}: ${value}`)
    const singles = [
      ...team,
      ...lists.upload,
      ...billed,
      ...sends.singles,
      await megabytes(product),
      ...(await driveFelt(product, part => wants(`felt: ${part}`)).catch(notSeen('what people wait for'))),
      ...(wants('scroll') ? await scrollFar(product).catch(notSeen('longest task while scrolling')) : []),
    ]
    await stop()
    const told = live ? [...live.stretches, await countPut(place, live.put)] : []
    return { paths, live: [...told, ...led], singles }
  } finally {
    await stop()
  }
}

/** A failing browser does not discard what was measured before it. */
const notSeen =
  (name: string) =>
  (error: unknown): Single[] => {
    console.error(error)
    return [{ name, value: 'not measured', target: '', met: false }]
  }

async function measureLive(driver: Driver) {
  const pace = { perSecond: 100, seconds: 10 }
  const stretches = []
  for (const [name, screensOf, phones] of [
    ['inbound to screen, 500 screens in 50 companies, 100/s', size, phonesOf(size)],
    ['inbound to screen, 500 screens in one company, 100/s', { ...size, companies: 1 }, crowdOf(size, 400)],
  ] as const) {
    const screens = await openScreens(driver, screensOf, 500)
    stretches.push(await inboundToScreen(driver, screens, name, phones, pace))
    console.log(`  ${name}: p95 ${stretches.at(-1)!.p95} ms, lost ${stretches.at(-1)!.lost}`)
    console.log('   ', await memoryOf(driver.product))
    screens.close()
  }
  const screens = await openScreens(driver, size, 50)
  const put = await sustain(driver, screens, size, { newsPerSecond: PACE, seconds: asked.long ? 600 : 20 })
  screens.close()
  return { stretches, put }
}

async function megabytes(product: Product): Promise<Single> {
  const all = await memoryOf(product)
  return {
    name: 'memory of the server after all that',
    value: `${all.resident} MB (heap ${all.heap}, of it young ${all.young}; beside it ${all.beside})`,
    target: '≤ 400 MB',
    met: all.resident <= 400,
  }
}

/** In megabytes: memory of the process, and its heap in use, reachable or not. */
async function memoryOf(product: Product) {
  const read = async (name: string) => Math.round((await product.metric(name)) / 2 ** 20)
  return {
    resident: await read('process_resident_memory_bytes'),
    heap: await read('nodejs_heap_size_total_bytes'),
    young: await read('nodejs_heap_space_size_total_bytes{space="new"}'),
    beside: await read('nodejs_external_memory_bytes'),
  }
}

async function measureOnce(): Promise<Single[]> {
  const singles: Single[] = []
  if (wants('start')) singles.push(...startsOf(await timeStarts()))
  if (wants('rest')) singles.push(...(await measureRest()))
  const weight = wants('weight') ? measureTickets() : null
  for (const [part, name] of [
    ['waited', 'script that /tickets waits for, gzip'],
    ['whole', 'with the conversation, which comes beside'],
  ] as const)
    if (weight)
      singles.push({
        name,
        value: `${(weight[part] / 1000).toFixed(0)} kB`,
        target: `≤ ${BUDGET[part] / 1000} kB`,
        met: weight[part] <= BUDGET[part],
      })
  const store = wants('weight') ? measureStore() : null
  if (store)
    singles.push({
      name: 'script that /store waits for, gzip',
      value: `${(store.waited / 1000).toFixed(1)} kB`,
      target: `≤ ${STORE_BUDGET.waited / 1000} kB`,
      met: store.waited <= STORE_BUDGET.waited,
    })
  return singles
}

function startsOf({ first, second, idle, resident }: Starts): Single[] {
  const atRest = (name: string, value: number | null, most: number, unit: string) => ({
    name: `${name}, default start with demo data, all processes`,
    value: value === null ? 'not measured' : `${value.toFixed(1)} ${unit}`,
    target: `≤ ${most} ${unit}`,
    met: value !== null && value <= most,
  })
  return [
    {
      name: `start to serving, embedded, second run (first: ${first.toFixed(1)} s)`,
      value: `${second.toFixed(2)} s`,
      target: '≤ 1.5 s',
      met: second <= 1.5,
    },
    atRest('processor at rest', idle, 2, '% of a core'),
    atRest('memory at rest', resident, 350, 'MB'),
  ]
}

// whoever ends the bench ends what it started
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
if (asked.help) console.log(usage)
else await bench()
