import type { Route } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import type { Platform } from '../app.ts'
import type { OpenedFile, Range, StoredFile } from '../files/files.ts'
import type { PlatformScope, Scope } from '../scope.ts'

export interface RouteInput<R extends Route> {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: z.output<R['body']>
  /** What a multipart call brought, stored by now; removed again when the call is refused. */
  files: StoredFile[]
}

/** What a handler may know of the HTTP around its call. */
export interface Visit {
  platform: Platform
  ip: string
  userAgent: string
  /** The session behind the token; null on calls that need none. */
  sessionId: string | null
  /** The API token that a program called with; null on any other call. */
  tokenId: number | null
  /** The base of own addresses: BACKEND_URL, else that of the request. */
  origin: string
  header(name: string): string | undefined
  cookie(name: string): string | undefined
  /** An HttpOnly, SameSite=Strict cookie for /auth; no value clears it. */
  setCookie(name: string, value: string | null, maxAgeSeconds?: number): void
}

/** An answer that is JSON text already, cut to its shape when it was written. */
export class Written {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** An answer that is a file, made while it is sent; of a route that says its type (`answers`). */
export class Download {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>

  constructor(name: string, content: AsyncIterable<Uint8Array>) {
    this.name = name
    this.content = content
  }
}

type Reply<R extends Route> = z.input<R['reply']> | Written | Download

/** What is asked before a call of a session is made, or a file is read: it refuses what is not for this viewer. */
export interface Guard {
  kind: 'guard'
  check(platform: Platform, viewer: Viewer, route: Route, params: unknown): Promise<void>
  checkFile(platform: Platform, viewer: Viewer, address: string): Promise<void>
}

export const guardCalls = (checks: Omit<Guard, 'kind'>): Guard => ({ kind: 'guard', ...checks })

/** An authenticated program: its company, and its token. */
export interface Entered {
  companyId: number
  /** Null for a token that is none of the public API. */
  tokenId: number | null
}

export interface Served {
  kind: 'route'
  route: Route
  /** False for the few calls that run before anyone is known. */
  inCompany: boolean
  /** How programs are known that have no session, and from where they call. Refuses others. `isAgain`: behind a slow body of a call that was let in. */
  enter?: (
    platform: Platform,
    bearer: string | undefined,
    network: string,
    isAgain: boolean,
  ) => Promise<Entered>
  /** What a call without a session shows that this product signed before, by name; null for nothing. */
  shows?: (visit: Visit) => string | null
  /** `serve`, `serveOpen` and `serveToken` tie the types of scope and input to the route. */
  handle(scope: Scope | PlatformScope, input: unknown, visit: Visit): Promise<unknown>
}

/** Ties a call of the contract to what it does, in the caller's company and name. */
export const serve = <R extends Route>(
  route: R,
  handle: (scope: Scope, input: RouteInput<R>, visit: Visit) => Promise<Reply<R>>,
): Served => ({ kind: 'route', route, inCompany: true, handle })

/** The same for calls without a session: they get the platform and choose their company knowingly. `shows` as in Served. */
export const serveOpen = <R extends Route>(
  route: R,
  handle: (platform: PlatformScope, input: RouteInput<R>, visit: Visit) => Promise<Reply<R>>,
  shows?: Served['shows'],
): Served => ({ kind: 'route', route, inCompany: false, ...(shows && { shows }), handle })

/** The same for programs with a token of a company: without a viewer, so that only the token decides. */
export const serveToken = <R extends Route>(
  route: R,
  enter: NonNullable<Served['enter']>,
  handle: (scope: Scope, input: RouteInput<R>, visit: Visit) => Promise<Reply<R>>,
): Served => ({ kind: 'route', route, inCompany: true, enter, handle })

/** A call that others defined, such as a webhook: its bytes come as they were sent, and it answers text; or the link to a file. */
export interface Raw {
  kind: 'raw'
  method: 'GET' | 'POST'
  path: string
  /** One sentence for whoever reads the list of routes. */
  summary: string
  /** Whose turn it is, known before the body is read; null where no company is known. */
  companyOf?(platform: Platform, params: Record<string, string>): Promise<number | null>
  handle(platform: Platform, call: RawCall): Promise<RawAnswer>
}

/** Text, or a file of which the caller may ask for a part. */
export type RawAnswer = { status: number; text?: string } | { open(range?: Range): Promise<OpenedFile> }

export const serveRaw = (call: Omit<Raw, 'kind'>): Raw => ({ kind: 'raw', ...call })

export interface RawCall {
  params: Record<string, string>
  query: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
