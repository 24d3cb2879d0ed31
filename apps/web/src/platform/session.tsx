import { auth, type Session } from '@balcao/contract/auth.ts'
import { may, type Right, type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { SessionUser } from '@balcao/contract/users.ts'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { call, onSignedOut, refreshSession, token } from './call.ts'
import { connect } from './live.ts'
import { queryClient } from './query.ts'

interface SessionState {
  /** Undefined while nobody knows yet, null when nobody is logged in. */
  user: SessionUser | null | undefined
  enter(session: Session): void
  leave(): Promise<void>
  /** Takes the own record as it is now. */
  update(user: SessionUser): void
}

/** How long to wait before asking again who is logged in, while the server does not answer. */
const RETRY_MS = 3_000

const SessionContext = createContext<SessionState | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [user, setUser] = useState<SessionUser | null | undefined>(() => (token.read() ? undefined : null))

  const forget = useCallback(() => {
    queryClient.clear()
    setUser(null)
  }, [])
  useEffect(() => {
    onSignedOut(forget)
    token.onDropped(forget)
    return token.read() ? restore(setUser) : undefined
  }, [forget])

  const companyId = user?.companyId
  useEffect(() => {
    if (companyId === undefined) return
    return connect(companyId)
  }, [companyId])

  const enter = useCallback((session: Session) => {
    token.keep(session.token)
    setUser(session.user)
  }, [])
  const leave = useCallback(async () => {
    await call(auth.logout).catch(() => {})
    token.drop()
    forget()
  }, [forget])
  const update = useCallback(
    (saved: SessionUser) => setUser(known => (known?.id === saved.id ? saved : known)),
    [],
  )
  const state = useMemo(() => ({ user, enter, leave, update }), [user, enter, leave, update])
  return <SessionContext value={state}>{children}</SessionContext>
}

/** Asks who is logged in until the server answers: a server that is away signs nobody out. */
function restore(found: (user: SessionUser | null) => void): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () =>
    refreshSession().then(
      session => !stopped && found(session?.user ?? null),
      () => {
        if (!stopped) timer = setTimeout(ask, RETRY_MS)
      },
    )
  void ask()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

export function useSession(): SessionState {
  const session = useContext(SessionContext)
  if (!session) throw new Error('outside the session')
  return session
}

/** The logged-in user; only screens behind the guard ask. */
export function useUser(): SessionUser {
  const { user } = useSession()
  if (!user) throw new Error('nobody is logged in')
  return user
}

export function useViewer(): Viewer {
  const user = useUser()
  return useMemo(() => viewerFrom(user), [user])
}

/** Buttons ask the same words as routes. */
export const useMay = (right: Right): boolean => may(useViewer(), right)
