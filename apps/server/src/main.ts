import './platform/drizzle/loading.ts'

// after it: what is imported above is resolved before any of it runs
const { serveUntilTold } = await import('./serve.ts')
await serveUntilTold()
