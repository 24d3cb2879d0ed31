import '../src/platform/startup/loading.ts'

// The product, whose demo has people and no past: several of them make it at once.

const { product } = await import('../src/product.ts')
const { firstDay } = await import('../src/seed/first-start.ts')
const { serveAsChild } = await import('./child.ts')

await serveAsChild({ ...product, seed: firstDay })
