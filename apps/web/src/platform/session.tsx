import { auth, type Session } from '@balcao/contract/auth.ts'
import { may, type Right, type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { type SessionUser, userChannel } from '@balcao/contract/users.ts'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { call, onSignedOut, refreshSession, token } from './call.ts'
import { connect, listen } from './live.ts'
import { queryClient } from './query.ts'

interface SessionState {
  /** Undefined while nobody knows yet, null when nobody is logged in. */
  user: SessionUser | null | undefined
  enter(session: Session): void
  leave(): Promise<void>
  /** Takes what a save of the own record answered. */
  update(user: SessionUser): void
}

const SessionContext = createContext<SessionState | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [user, setUser] = useState<SessionUser | null | undefined>(() => (token.read() ? undefined : null))

  useEffect(() => {
    onSignedOut(() => {
      queryClient.clear()
      setUser(null)
    })
    if (!token.read()) return
    refreshSession().then(
      session => {
        if (!session) token.drop()
        setUser(session?.user ?? null)
      },
      () => setUser(null),
    )
  }, [])

  const companyId = user?.companyId
  useEffect(() => {
    if (companyId === undefined) return
    const disconnect = connect(companyId)
    const deafen = listen(userChannel, push =>
      setUser(known => (known?.id === push.user.id ? push.user : known)),
    )
    return () => {
      deafen()
      disconnect()
    }
  }, [companyId])

  const enter = useCallback((session: Session) => {
    token.keep(session.token)
    setUser(session.user)
  }, [])
  const leave = useCallback(async () => {
    await call(auth.logout).catch(() => {})
    token.drop()
    queryClient.clear()
    setUser(null)
  }, [])
  const state = useMemo(() => ({ user, enter, leave, update: setUser }), [user, enter, leave])
  return <SessionContext value={state}>{children}</SessionContext>
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
