import zlib from 'node:zlib'
import type { ErrorBody, ErrorCode } from '@balcao/contract/errors.ts'
import { errorStatus } from '@balcao/contract/errors.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Platform } from './app.ts'
import { isConnectionFailure, isTooSlow, Refusal } from './errors.ts'
import type { StoredFile } from './files.ts'
import { serveBrand } from './http.brand.ts'
import { serveApiDocs } from './http.docs.ts'
import { acceptFiles, discard, readForm, serveFiles } from './http.files.ts'
import { type Limits, networkOf, openLimits } from './http.limits.ts'
import { serveOps } from './http.ops.ts'
import { serveRaw } from './http.raw.ts'
import { serveWeb } from './http.web.ts'
import { type Raw, type Served, type Visit, Written } from './routes.ts'
import type { PlatformScope, Scope } from './scope.ts'
import { traced, traceOf } from './trace.ts'

const JSON_LIMIT = 1_048_576

/** The HTTP side: every served route of the contract, the web app, the operator's pages. */
export async function openHttp(
  platform: Platform,
  served: Served[],
  raw: Raw[],
  webRoot: string | null,
): Promise<FastifyInstance> {
  const { config } = platform
  const limits = openLimits(config.requestsPerMinute)
  const app = fastify({
    logger: false,
    genReqId: ({ headers }) => traceOf(headers['x-request-id']),
    // the proxy in front is believed, not what a client wrote before it
    trustProxy: config.trustProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: JSON_LIMIT,
    forceCloseConnections: true,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300 },
  })
  const tellRefused = onceAMinute(platform.log)
  app.setErrorHandler((error, request, reply) => {
    if (refusalOf(error).code === 'ERR_TOO_MANY_REQUESTS') tellRefused(request)
    return refuse(platform, error, request, reply)
  })
  await app.register(cookie)
  await acceptFiles(app)
  await app.register(helmet, headers(config))
  await app.register(compress, packing)
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  // behind the body, whose bytes come from outside of it
  app.addHook('preHandler', (request, _reply, done) => traced(request.id, done))
  app.addHook('onResponse', async (request, reply) => observe(platform, request, reply))

  for (const one of served)
    for (const path of [one.route.path, ...one.route.aliases]) mount(app, platform, limits, one, path)
  await serveRaw(app, platform, raw)
  const visitor = async (request: FastifyRequest) => {
    limits.visit(request.ip)
    return enter(platform, limits, request)
  }
  serveFiles(app, platform, visitor)
  serveApiDocs(app, served, visitor)
  serveOps(app, platform)
  serveBrand(app, config)
  await serveWeb(app, webRoot)
  await app.ready()
  return app
}

function mount(
  app: FastifyInstance,
  platform: Platform,
  limits: Limits,
  { route, inCompany, handle }: Served,
  path: string,
) {
  app.route({
    method: route.method,
    url: path,
    onRequest: (request, _reply, done) => {
      limits.visit(request.ip)
      done()
    },
    handler: async (request, reply) => {
      const visit = visitOf(platform, request, reply)
      const platformScope = platform.scopes.platform(request.id)
      const run = async (
        scope: Scope | PlatformScope,
        caller: string,
        body: unknown,
        files: StoredFile[] = [],
      ) => {
        const answer = await limited(limits, route, caller, body, () =>
          handle(scope as never, read(route, request, body, files) as never, visit),
        )
        return answer instanceof Written
          ? reply.type('application/json').send(answer.json)
          : route.reply.parse(answer)
      }
      if (!inCompany || route.needs === 'nobody')
        return run(platformScope, networkOf(request.ip), request.body)
      const { viewer, claims } = await enter(platform, limits, request)
      if (!may(viewer, route.needs)) throw new Refusal('ERR_NO_PERMISSION')
      visit.sessionId = claims.sessionId
      const scope = platformScope.inCompany(claims.companyId, viewer)
      const caller = `user ${viewer.id}`
      if (!request.isMultipart() || route.files === 'none') return run(scope, caller, request.body)
      const { fields, kept } = await readForm(platform, request, claims.companyId)
      try {
        return await run(scope, caller, fields, kept)
      } catch (error) {
        await discard(platform.files, claims.companyId, kept)
        throw error
      }
    },
  })
}

/** Who calls, counted as one more call of his. */
async function enter({ access }: Platform, limits: Limits, request: FastifyRequest) {
  const entered = await access.enter(bearer(request))
  limits.call(entered.viewer.id)
  return entered
}

/** A call with a limit of its own. One that was not even tried, or failed by our fault, does not count. */
async function limited<T>(
  limits: Limits,
  { path, limit }: Route,
  caller: string,
  body: unknown,
  work: () => Promise<T>,
): Promise<T> {
  if (!limit) return work()
  const takeBack = limits.attempt(path, limit, caller, limit.account ? accountIn(body) : null)
  try {
    const answer = await work()
    if (limit.counts === 'failures') takeBack()
    return answer
  } catch (error) {
    const status = errorStatus[refusalOf(error).code]
    if (status >= 500 || status === 429) takeBack()
    throw error
  }
}

function accountIn(body: unknown) {
  const email = (body as { email?: unknown } | undefined | null)?.email
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 200) : null
}

const bearer = (request: FastifyRequest) => /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]

function read(route: Route, request: FastifyRequest, body: unknown, files: StoredFile[]) {
  return {
    params: check(route.params, request.params),
    query: check(route.query, request.query),
    body: check(route.body, body ?? {}),
    files,
  }
}

function check(shape: z.ZodType, given: unknown) {
  const result = shape.safeParse(given)
  const unkept = result.success ? unkeptIn(result.data) : null
  if (unkept !== null)
    throw new Refusal('ERR_BAD_REQUEST', {
      field: unkept || 'body',
      message: 'Holds an impossible character',
    })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new Refusal('ERR_BAD_REQUEST', { field: issue?.path.join('.') || 'body', message: issue?.message })
}

/** Where a text stands that the database does not take, with NUL or with half a character; null when all can be kept. */
function unkeptIn(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const found = unkeptIn(inner, path ? `${path}.${name}` : name)
    if (found !== null) return found
  }
  return null
}

function visitOf(platform: Platform, request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    platform,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
    sessionId: null,
    cookie: name => request.cookies[name],
    setCookie(name, value, maxAge = 0) {
      reply.setCookie(name, value ?? '', {
        path: '/auth',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
        maxAge: value === null ? 0 : maxAge,
      })
    },
  }
}

/** What is no fault of the caller's. */
const OURS = new Set<ErrorCode>(['ERR_INTERNAL', 'ERR_DATABASE_UNAVAILABLE', 'ERR_TOO_SLOW'])

/** Every refusal has one shape; what we did not foresee says nothing but its request id. */
function refuse(platform: Platform, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error)
  const { code, field, details, retryAfter } = refusal
  if (OURS.has(code))
    platform.log.error({ err: error, trace: request.id, method: request.method, url: request.url }, code)
  const body: ErrorBody = { error: code, message: refusal.message, requestId: request.id }
  if (field) body.field = field
  if (details) body.details = details
  if (retryAfter) reply.header('retry-after', retryAfter)
  return reply.code(errorStatus[code]).send(body)
}

const MINUTE = 60_000

/** Who was refused by a limit; whoever goes on is not told each time. */
function onceAMinute(log: Logger) {
  const told = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE })
  return ({ id, ip, method, routeOptions: { url = 'unknown' } }: FastifyRequest) => {
    const key = `${url} ${networkOf(ip)}`
    if (told.has(key)) return
    told.set(key, true)
    log.info({ trace: id, ip, method, route: url }, 'a call was refused by a limit')
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isConnectionFailure(error)) return new Refusal('ERR_DATABASE_UNAVAILABLE')
  if (isTooSlow(error)) return new Refusal('ERR_TOO_SLOW')
  const status = (error as { statusCode?: number }).statusCode
  if (status === 413)
    return new Refusal('ERR_FILE_TOO_LARGE', { message: `The body may hold ${JSON_LIMIT} bytes` })
  if (status === 415) return new Refusal('ERR_FILE_TYPE', { message: 'Send JSON' })
  if (status && status >= 400 && status < 500)
    return new Refusal('ERR_BAD_REQUEST', { field: 'body', message: (error as Error).message })
  return new Refusal('ERR_INTERNAL')
}

function observe(platform: Platform, request: FastifyRequest, reply: FastifyReply) {
  const route = request.routeOptions.url ?? 'unknown'
  platform.metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
  platform.log.debug(
    { trace: request.id, method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime },
    'request',
  )
}

/**
 * Answers are packed at once and quickly, at a fifth of what a stream costs and a tenth more bytes; the files of the
 * web app, which browsers keep, thoroughly.
 */
const packing = {
  threshold: 2_048,
  encodings: ['gzip' as const],
  syncThreshold: 262_144,
  zlib: { ...zlib, gzipSync: (answer: Buffer) => zlib.gzipSync(answer, { level: 1 }) },
}

const MAPS = 'https://www.google.com'

/** Styles may be inline (measured positions need them), scripts never; nothing is framed but maps, where there is a key. */
const headers = ({ trustProxy, mapsKey }: Platform['config']) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'blob:', 'data:'],
      mediaSrc: ["'self'", 'blob:'],
      connectSrc: ["'self'"],
      frameSrc: [mapsKey ? MAPS : "'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: trustProxy !== false && { maxAge: 31_536_000 },
  crossOriginEmbedderPolicy: false,
})
