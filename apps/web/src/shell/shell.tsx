import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { features } from '../features.ts'
import { leaveRoomForKeyboard } from '../platform/keyboard-room.ts'
import { whenFetched } from '../platform/query.ts'
import { texts } from '../platform/text.ts'
import { Announcer } from '../ui/announcer.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { NoticePlace } from '../ui/notice-place.tsx'
import { comeWhenIdle } from '../ui/soon.tsx'
import { AccountBanner } from './account-banner.tsx'
import { Menu } from './menu.tsx'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'

const lives = features.flatMap(feature => (feature.live ? [feature.live] : []))
const always = features.flatMap(feature => (feature.Always ? [feature.Always] : []))

const useText = texts({ skip: ['Ir para o conteúdo', 'Skip to the content', 'Ir al contenido'] })

/** How long after the start what may be needed next is fetched. */
const IDLE_MS = 5_000

/** The frame: top bar and menu are one area, the screen is a single sheet. */
export function Shell() {
  const t = useText()
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
  useEffect(leaveRoomForKeyboard, [])
  useEffect(
    () =>
      void whenFetched()
        .then(drawEmoji)
        .catch(() => {}),
    [],
  )
  useEffect(() => {
    const timer = setTimeout(() => void comeWhenIdle(), IDLE_MS)
    return () => clearTimeout(timer)
  }, [])

  return (
    <div
      className={classes.shell}
      data-menu={phone ? 'temporary' : pinned ? 'open' : 'rail'}
      data-chat={(phone && inChat) || undefined}
    >
      <button
        type="button"
        className={classes.skip}
        onClick={() => document.getElementById('content')?.focus()}
      >
        {t('skip')}
      </button>
      <TopBar
        phone={phone === true}
        onMenu={() => (phone ? setShown(true) : setPinned(!pinned))}
        menuOpen={open}
      />
      <AccountBanner line={phone === true && !inChat} />
      {phone && shown && <div className={classes.scrim} onClick={() => setShown(false)} aria-hidden />}
      {(!phone || shown) && (
        <Menu
          wide={open}
          onChosen={() => setShown(false)}
          onToggle={() => (phone ? setShown(false) : setPinned(!pinned))}
        />
      )}
      <main className={classes.sheet} id="content" tabIndex={-1}>
        <div className={classes.screen}>
          <Outlet />
        </div>
        <NoticePlace of="page" />
      </main>
      <Announcer />
      {always.map((Always, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
        <Boundary key={at} instead={null}>
          <Always />
        </Boundary>
      ))}
    </div>
  )
}

const drawEmoji = async () => (await import('../theme/emoji-font.ts')).drawEmoji()

function followAll() {
  const stops = lives.map(follow => follow())
  return () => {
    for (const stop of stops) stop()
  }
}
