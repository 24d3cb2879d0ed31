import type { Schedule, ScheduleStatus } from '@balcao/contract/schedules.ts'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { IconBolt, IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { rowId } from '../../platform/ids.ts'
import { useMay } from '../../platform/session.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { inAddress, useKeptInAddress } from '../../ui/list-screen/address.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { NoRows } from '../../ui/list-screen/list-states.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import ScheduleDialog from './schedule.dialog.tsx'
import { ScheduleMenu } from './schedule-menu.tsx'
import { ScheduleTable } from './schedule-table.tsx'
import { removeSchedule, scheduleList } from './schedules.api.ts'
import { useScheduleMenuText } from './schedules.menu.text.ts'
import { useScheduleText } from './schedules.text.ts'

const PATH = '/schedules'

const ANY = 'any'

function statusInAddress(): ScheduleStatus | '' {
  const kept = inAddress('status')
  return kept === ANY ? '' : kept === 'ENVIADA' ? kept : 'PENDENTE'
}

/** `?contactId=7` shows those of one contact; `/schedules/new`, `/schedules/17` and `?copy=17` open the dialog. */
export default function SchedulesScreen() {
  const [query] = useSearchParams()
  const contactId = Number(query.get('contactId'))
  return <Schedules key={contactId} contactId={contactId > 0 ? contactId : null} />
}

function Schedules({ contactId }: { contactId: number | null }) {
  const t = useScheduleText()
  const title = useScheduleMenuText()('schedules')
  const goTo = useGoTo()
  const mayRunActions = useMay('admin')
  const [status, setStatus] = useState<ScheduleStatus | ''>(statusInAddress)
  useKeptInAddress('status', status === 'PENDENTE' ? '' : status || ANY)
  const [removing, setRemoving] = useState<Schedule | null>(null)
  const [isWhole, setWhole] = useState(false)
  const list = useList(words =>
    scheduleList(words.toLowerCase(), { status, ...(contactId !== null && { contactId }) }),
  )
  const here = contactId ? `?contactId=${contactId}` : ''
  const go = (to: string, more = '') =>
    goTo(`${PATH}${to}${more ? `${here || '?'}${here ? '&' : ''}${more}` : here}`)
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      actions={
        <>
          {contactId && (
            <Button variant="subtle" onClick={() => goTo(PATH)}>
              {t('everybody')}
            </Button>
          )}
          <NativeSelect
            aria-label={t('status')}
            value={status}
            onChange={event => setStatus(event.currentTarget.value as ScheduleStatus | '')}
            data={[
              { value: 'PENDENTE', label: t('PENDENTE') },
              { value: 'ENVIADA', label: t('ENVIADA') },
              { value: '', label: t('any') },
            ]}
          />
          {mayRunActions && (
            <IconButton label={t('actions')} onClick={() => goTo('/scheduleAction')}>
              <IconBolt size={20} stroke={1.75} />
            </IconButton>
          )}
          <ScheduleMenu onAdd={() => go('/new')} />
        </>
      }
    >
      <ScheduleTable
        list={list}
        empty={
          contactId ? (
            <Empty icon={<IconCalendarTime size={26} />} title={t('none')} />
          ) : (
            <NoRows
              list={list}
              icon={<IconCalendarTime size={26} />}
              title={t('none')}
              hint={t('noneHint')}
            />
          )
        }
        onEdit={({ id }) => go(`/${id}`)}
        onCopy={({ id }) => go('/new', `copy=${id}`)}
        onRemove={schedule => {
          setWhole(false)
          setRemoving(schedule)
        }}
      />
      <Opened onClose={() => goTo(`${PATH}${here}`, { replace: true })} />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.contact.name })}
          remove={() => removeSchedule(removing.id, isWhole)}
          done={t('removed')}
          onClose={() => setRemoving(null)}
        >
          {t('noWayBack')}
          {removing.batch && (
            <Checkbox
              mt={12}
              label={t('removeWhole')}
              checked={isWhole}
              onChange={event => setWhole(event.currentTarget.checked)}
            />
          )}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

/** The dialog that the address names. */
function Opened({ onClose }: { onClose(): void }) {
  const { id } = useParams()
  const [query] = useSearchParams()
  const copyOf = Number(query.get('copy'))
  if (!id) return null
  return (
    <ScheduleDialog
      key={`${id} ${copyOf}`}
      id={id === 'new' ? null : rowId(id)}
      copyOf={id === 'new' && copyOf > 0 ? copyOf : null}
      onClose={onClose}
    />
  )
}
