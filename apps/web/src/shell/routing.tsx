import { may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { features } from '../features.ts'
import type { Screen } from '../platform/features.ts'
import { notify } from '../platform/notify.tsx'
import { useSession } from '../platform/session.tsx'
import { texts } from '../platform/text.ts'
import { Away } from '../ui/away.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { soon } from '../ui/soon.tsx'
import { useBrandedWindow, useClockOf } from './branding.ts'
import { Elsewhere } from './elsewhere.tsx'
import { Loading } from './loading.tsx'
import { NotShown } from './not-shown.tsx'
import { Shell } from './shell.tsx'

const useText = texts({
  unknown: [
    'O endereço {address} não existe aqui',
    'There is no address {address} here',
    'La dirección {address} no existe aquí',
  ],
})

const SignInAgain = soon(() => import('./sign-in-again.dialog.tsx'))

const declared = features.flatMap(feature => feature.screens ?? [])
const outside = declared.filter(screen => screen.access === 'outside')
const screens = declared
  .filter(screen => screen.access !== 'outside')
  .map(screen => ({
    ...screen,
    Component: soon(screen.load, { instead: <Loading />, away: <Away />, isLarge: true }),
  }))
const inShell = screens.filter(screen => screen.access === 'private' && !screen.alone)
const alone = screens.filter(screen => screen.access === 'private' && screen.alone)
const open = screens.filter(screen => screen.access === 'public')
const always = screens.filter(screen => screen.access === 'anyone')

type Loaded = Screen & { Component: ComponentType }

/** Which screen an address shows, and to whom. Unknown ones redirect to the tickets, or to the login. */
export function Routing() {
  const { user, isOver } = useSession()
  useBrandedWindow()
  const zone = useClockOf(user ?? null)
  if (user === undefined || zone === null) return <Loading />
  return (
    <>
      {/* remounts everything for another user or time zone */}
      <Routes key={`${user?.id ?? 0} ${zone}`}>
        {open.map(screen => route(screen, <OnlyOutside>{<screen.Component />}</OnlyOutside>))}
        {always.map(screen => route(screen, <screen.Component />))}
        {outside.map(({ path }) => (
          <Route key={path} path={path} element={<Elsewhere />} />
        ))}
        {alone.map(screen => route(screen, <OnlyInside screen={screen} />))}
        <Route element={user ? <Shell /> : <ToTheDoor />}>
          {inShell.map(screen => route(screen, <OnlyInside screen={screen} />))}
          <Route path="/" element={<Navigate to="/tickets" replace />} />
          <Route path="*" element={<Unknown />} />
        </Route>
      </Routes>
      {user && isOver && <SignInAgain email={user.email} />}
    </>
  )
}

const route = (screen: Loaded, element: ReactNode) => (
  <Route key={screen.path} path={screen.path} element={element} />
)

/** Without a session redirects to the login, which returns to the requested address. */
function ToTheDoor() {
  const location = useLocation()
  return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />
}

/** An unknown address (OP-46): reported, and redirected to the tickets. */
function Unknown() {
  const t = useText()
  const { pathname } = useLocation()
  useEffect(
    () => notify.warn(t('unknown', { address: pathname }), { seconds: 9, id: 'unknown' }),
    [t, pathname],
  )
  return <Navigate to="/tickets" replace />
}

function OnlyInside({ screen }: { screen: Loaded }) {
  const { user } = useSession()
  if (!user) return <ToTheDoor />
  if (screen.needs && !may(viewerFrom(user), screen.needs))
    return <Navigate to={screen.instead ?? '/tickets'} replace />
  return (
    <Boundary key={screen.path} instead={<NotShown />}>
      <screen.Component />
    </Boundary>
  )
}

function OnlyOutside({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const { state } = useLocation() as { state: { from?: string } | null }
  return user ? <Navigate to={state?.from ?? '/'} replace /> : children
}
