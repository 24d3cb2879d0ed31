import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { features } from '../features.ts'
import { Menu } from './menu.tsx'
import classes from './shell.module.css'
import { StandingBanner } from './standing-banner.tsx'
import { TopBar } from './top-bar.tsx'

const lives = features.flatMap(feature => (feature.live ? [feature.live] : []))
const always = features.flatMap(feature => (feature.Always ? [feature.Always] : []))

/** The frame: top bar and menu are one field, the work lies on a single sheet. */
export function Shell() {
  const phone = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false })
  const [pinned, setPinned] = useLocalStorage({
    key: 'menuOpen',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [shown, setShown] = useState(false)
  const inChat = /^\/tickets\/\d+/i.test(useLocation().pathname)
  const open = phone ? shown : pinned
  useEffect(followAll, [])

  return (
    <div
      className={classes.shell}
      data-menu={phone ? 'temporary' : pinned ? 'open' : 'rail'}
      data-chat={(phone && inChat) || undefined}
    >
      <TopBar
        phone={phone === true}
        onMenu={() => (phone ? setShown(true) : setPinned(!pinned))}
        menuOpen={open}
      />
      <StandingBanner />
      {phone && shown && <div className={classes.scrim} onClick={() => setShown(false)} aria-hidden />}
      {(!phone || shown) && (
        <Menu
          wide={open}
          onChosen={() => setShown(false)}
          onToggle={() => (phone ? setShown(false) : setPinned(!pinned))}
        />
      )}
      <main className={classes.sheet}>
        <Outlet />
      </main>
      {always.map((Always, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
        <Always key={at} />
      ))}
    </div>
  )
}

function followAll() {
  const stops = lives.map(follow => follow())
  return () => {
    for (const stop of stops) stop()
  }
}
