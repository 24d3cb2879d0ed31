import { parseArgs } from 'node:util'
import { sizeOf } from './dataset.ts'
import { openDriver } from './load.ts'
import { drivePaths, paths } from './paths.ts'
import { inFolder, onServer, serverUrl } from './place.ts'
import { startProduct } from './product.ts'

const { values: asked } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    scale: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
})

const scale = Number(asked.scale ?? (asked.embedded ? 0.1 : 1))
const size = sizeOf(scale)
const place = asked.embedded ? inFolder() : await onServer(serverUrl())
console.log(`${place.name}, scale ${scale}`)
const took = await place.fill(size)
console.log(took ? `filled in ${took.toFixed(1)} s` : 'kept from an earlier run')
const product = await startProduct(place.env)
try {
  const driver = await openDriver(product, Number(asked.seconds))
  console.log(`idle: ${driver.idleStatements.toFixed(0)} statements/s`)
  const chosen = paths.filter(path => path.name.includes(asked.only ?? ''))
  const figures = await drivePaths(driver, size, chosen)
  console.table(figures)
} finally {
  await product.stop()
  await place.remove()
}
