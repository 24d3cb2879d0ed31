import { Button, CloseButton } from '@mantine/core'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { type Notice, notices, shownOf } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { texts } from '../platform/text.ts'
import { noticePlace } from '../ui/notice-place.tsx'
import classes from './notices.module.css'

const useText = texts({ close: ['Fechar', 'Close', 'Cerrar'] })

/**
 * The notices, in the slot the screen provides. Loaded after the first screen; earlier notices are shown
 * then.
 */
export default function Notices() {
  const all = useStore(notices.all)
  const place = useSyncExternalStore(noticePlace.follow, noticePlace.read)
  if (all.length === 0) return null
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: no action, the pointer only stops the time
    <div
      className={classes.notices}
      data-loose={!place || undefined}
      onPointerEnter={notices.hold}
      onPointerLeave={notices.release}
      onFocus={notices.hold}
      onBlur={notices.release}
    >
      {shownOf(all).map(notice => (
        <NoticeItem key={notice.id} notice={notice as Notice<ReactNode>} isLoose={!place} />
      ))}
    </div>,
    place ?? document.body,
  )
}

/** Announced ones; a notice that moves with its slot is not announced again. */
const wereRead = new WeakSet<Notice>()

function NoticeItem({ notice, isLoose }: { notice: Notice<ReactNode>; isLoose: boolean }) {
  const t = useText()
  const { id, tone, icon, text, actions } = notice
  const [isNew] = useState(() => !wereRead.has(notice))
  useEffect(() => void wereRead.add(notice), [notice])
  // a notice about one's own action does not interrupt the screen reader
  const role = tone === 'error' ? 'alert' : isLoose ? 'status' : undefined
  return (
    <div
      className={classes.notice}
      data-tone={tone}
      {...(isNew ? role && { role } : { 'aria-live': 'off' as const })}
    >
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div className={classes.words}>
        {text}
        {actions.length > 0 && (
          <div className={classes.actions}>
            {actions.map(({ label, act }) => (
              <Button
                key={label}
                variant="subtle"
                size="xs"
                onClick={() => {
                  notices.hide(id)
                  act()
                }}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <CloseButton
        size="sm"
        className={classes.close}
        aria-label={t('close')}
        onClick={() => notices.hide(id)}
      />
    </div>
  )
}
