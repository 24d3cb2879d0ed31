import { type Connection, connections, type Fall } from '@balcao/contract/connections.ts'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { reasonText, whyNot } from '../../platform/errors.text.ts'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Late } from '../../ui/late.tsx'
import { useFallText } from './connections.falls.text.ts'
import classes from './falls.module.css'

/** When a connection was lost, ended or restricted, and why; the newest first. */
export function FallsDialog({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const t = useFallText()
  const { id: whatsappId, name } = connection
  const { data, isError, error } = useQuery({
    queryKey: ['connections', whatsappId, 'falls', connection.updatedAt],
    queryFn: () => call(connections.falls, { params: { whatsappId } }),
  })
  return (
    <Dialog title={t('historyOf', { name })} onClose={onClose} size={620}>
      {!data && (
        <Late>
          <p role="status">{isError && whyNot(error, t('failed'))}</p>
        </Late>
      )}
      {data?.falls.length === 0 && (
        <Empty icon={<IconPlugConnected size={26} />} title={t('none')}>
          {t('noneHint')}
        </Empty>
      )}
      <ol className={classes.falls}>
        {data?.falls.map(fall => (
          <ShownFall key={fall.id} fall={fall} />
        ))}
      </ol>
    </Dialog>
  )
}

function ShownFall({ fall }: { fall: Fall }) {
  const t = useFallText()
  const { at, code, reason } = fall
  const why = `ban${code.split(' ')[1] ?? ''}`
  return (
    <li className={classes.fall}>
      <time dateTime={at}>{clock(at).format('L LT')}</time>
      <div>
        <p>{reasonText(reason)}</p>
        {isBan(why) && <p>{t(why)}</p>}
        <p className={classes.quiet}>
          {[useEnd(fall), code && t('code', { code })].filter(Boolean).join(' · ')}
        </p>
      </div>
    </li>
  )
}

/** How it ended, or will end. */
function useEnd({ until, backAt }: Fall): string {
  const t = useFallText()
  if (backAt) return t('backAt', { at: clock(backAt).format('L LT') })
  return until ? t('endsAt', { at: clock(until).format('L LT') }) : t('lasts')
}

/** What WhatsApp adds to a temporary ban: `TempBanReason` of whatsmeow. */
const BANS = ['ban101', 'ban102', 'ban103', 'ban104', 'ban106'] as const
const isBan = (why: string): why is (typeof BANS)[number] => BANS.some(one => one === why)
