import type { OwnSession } from '@balcao/contract/accounts.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { Status } from '../../ui/status.tsx'
import { endOtherSessions, endOwnSession, ownSessions } from './accounts.api.ts'
import { useAccountText } from './accounts.text.ts'
import { deviceOf } from './device.ts'
import classes from './own-account.module.css'

/** The user's sessions; unknown ones can be ended. */
export function OwnSessions() {
  const t = useAccountText()
  const { data = [], isLoadingError } = useQuery(ownSessions)
  const endOthers = () => void endOtherSessions().then(() => notify.done(t('othersEnded')), notify.failed)
  return (
    <>
      <h2 className={classes.title}>{t('sessions')}</h2>
      {isLoadingError && <p role="alert">{t('failed')}</p>}
      <ul className={classes.sessions}>
        {data.map(session => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
      {data.length > 1 && (
        <Button variant="default" className={classes.others ?? ''} onClick={endOthers}>
          {t('endOthers')}
        </Button>
      )}
    </>
  )
}

function Session({ session: { id, userAgent, ip, lastSeenAt, isCurrent } }: { session: OwnSession }) {
  const t = useAccountText()
  const known = deviceOf(userAgent)
  const device = known ? t('on', known) : t('device')
  const end = () => void endOwnSession(id).then(() => notify.done(t('ended')), notify.failed)
  return (
    <li className={classes.session}>
      <div>
        <strong className="one-line">{device}</strong>
        <small>{t('seen', { at: clock(lastSeenAt).format('L LT'), ip })}</small>
      </div>
      {isCurrent ? (
        <Status tone="success">{t('thisOne')}</Status>
      ) : (
        <Button variant="subtle" size="xs" aria-label={t('endNamed', { device })} onClick={end}>
          {t('end')}
        </Button>
      )}
    </li>
  )
}
