import { auth, type Session } from '@balcao/contract/auth.ts'
import { may, type Right, type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { call, onSignedOut, refreshSession, token } from './call.ts'
import { drafts } from './drafts.ts'
import { leftBehind } from './left-behind.ts'
import { connect } from './live.ts'
import { notLonger } from './not-longer.ts'
import { forgetPerson } from './person.ts'
import { visiting } from './visit.ts'

interface SessionState {
  /** Undefined until known, null when no user is logged in. */
  user: User | null | undefined
  /** The session expired during work: the screen stays until its user signs in again or logs out. */
  isOver: boolean
  enter(session: Session): void
  /** `keep`: what only this browser has stays for the same user. */
  leave(keep?: 'keep'): Promise<void>
  /** Replaces the own record. */
  update(user: User): void
}

/** Delay before the session is requested again, while the server does not answer. */
const LOGOUT_MS = 5_000
const RETRY_MS = 3_000

const SessionContext = createContext<SessionState | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [user, setUser] = useState<User | null | undefined>(
    () => visiting.now()?.user ?? (token.read() ? undefined : null),
  )
  const [isOver, setOver] = useState(false)

  const known = useRef<number>(undefined)

  /** Nothing that one user saw is shown to another. */
  const become = useCallback((next: User | null) => {
    if (known.current !== undefined && known.current !== next?.id) forgetPerson()
    known.current = next?.id
    drafts.belongTo(next)
    setUser(next)
    setOver(false)
  }, [])
  useEffect(() => {
    const over = () => setOver(true)
    onSignedOut(over)
    const visit = visiting.now()
    if (visit) {
      token.onElsewhere({ left: visiting.leave, over() {}, entered() {} })
      return become(visit.user)
    }
    token.onElsewhere({ left: () => become(null), over, entered: () => void restore(become) })
    return token.read() ? restore(become) : undefined
  }, [become])

  const companyId = user?.companyId
  useEffect(() => {
    if (companyId === undefined || isOver) return
    return connect(companyId)
  }, [companyId, isOver])

  const enter = useCallback(
    (session: Session) => {
      token.keep(session.token)
      become(session.user)
    },
    [become],
  )
  const leave = useCallback(
    async (keep?: 'keep') => {
      if (visiting.now()) return visiting.leave()
      // after an expired session another user may be at the screen: the drafts stay, unseen
      if (token.read()) {
        // nothing that does not answer keeps a user at a screen that he left
        await call(auth.logout, { signal: AbortSignal.timeout(LOGOUT_MS) }).catch(() => {})
        if (!keep) {
          drafts.dropAll()
          await notLonger(leftBehind.drop(), LOGOUT_MS).catch(error => console.warn('not dropped', error))
        }
      }
      token.leave()
      become(null)
    },
    [become],
  )
  const update = useCallback((saved: User) => setUser(known => (known?.id === saved.id ? saved : known)), [])
  const state = useMemo(() => ({ user, isOver, enter, leave, update }), [user, isOver, enter, leave, update])
  return <SessionContext value={state}>{children}</SessionContext>
}

/** Requests the session until the server answers: an unreachable server signs no user out. */
function restore(found: (user: User | null) => void): () => void {
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

/** The logged-in user; only for screens behind the guard. */
export function useUser(): User {
  const { user } = useSession()
  if (!user) throw new Error('no user is logged in')
  return user
}

export function useViewer(): Viewer {
  const user = useUser()
  return useMemo(() => viewerFrom(user), [user])
}

/** Buttons use the same rights as routes. */
export const useMay = (right: Right): boolean => may(useViewer(), right)
