import type { SavedView } from '@balcao/contract/views.ts'
import { Button, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconAlarm, IconBookmark, IconEye, IconTrash, IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { useActing } from '../../ui/acting.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useLists } from './lists.ts'
import { usePlace } from './place.ts'
import classes from './ticket-pane.module.css'
import { stable, useTicketList } from './tickets.api.ts'
import { addView, filtersOf, listOfView, removeView, useViews } from './tickets.views.api.ts'
import { useViewText } from './tickets.views.text.ts'

/** The views beside the list: what is snoozed, what is followed, the own ones and the shared ones. */
export function ViewsChoice({ onClose }: { onClose(): void }) {
  const t = useViewText()
  const views = useViews()
  const { showAll } = useLists().pending
  const snoozed = stable({ status: null, showAll, snoozed: true })
  const following = stable({ status: null, showAll, following: true })
  const mayShare = useMay('views:share')
  const [{ view }, go] = usePlace()
  const ofAll = { snoozed: useTicketList(snoozed), following: useTicketList(following) }
  const row = (id: number | string, name: string, icon: ReactNode, list: typeof snoozed, count?: number) => (
    <Button
      key={id}
      fullWidth
      justify="flex-start"
      variant={view?.id === id ? 'light' : 'subtle'}
      color={view?.id === id ? undefined : 'gray'}
      aria-current={view?.id === id || undefined}
      leftSection={icon}
      rightSection={<Badge count={count ?? 0} look="tertiary" />}
      onClick={() => {
        go({ tab: 'open', view: { id, name, list } })
        onClose()
      }}
    >
      {name}
    </Button>
  )
  const saved = (one: SavedView) => (
    <div key={one.id} className={classes.view}>
      {row(
        one.id,
        one.name,
        one.shared ? <IconUsers size={16} /> : <IconBookmark size={16} />,
        listOfView(one),
        one.count,
      )}
      {(one.shared ? mayShare : one.mine) && (
        <IconButton
          small
          label={t('remove', { name: one.name })}
          onClick={() => {
            if (view?.id === one.id) go({ view: undefined })
            void removeView(one).catch(notify.failed)
          }}
        >
          <IconTrash size={16} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
  return (
    <Stack gap={2}>
      {row('snoozed', t('snoozed'), <IconAlarm size={16} />, snoozed, ofAll.snoozed.list?.count)}
      {row('following', t('following'), <IconEye size={16} />, following, ofAll.following.list?.count)}
      {views.map(saved)}
      <SaveView mayShare={mayShare} isFirst={views.length === 0} />
    </Stack>
  )
}

function SaveView({ mayShare, isFirst }: { mayShare: boolean; isFirst: boolean }) {
  const t = useViewText()
  const { current } = useLists()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { busy, act } = useActing()
  const save = async () => {
    const body = { name: name.trim(), shared, filters: filtersOf(current), sort: current.sort ?? null }
    try {
      await addView(body)
      setName('')
      notify.done(t('saved'))
    } catch (error) {
      notify.failed(error)
    }
  }
  return (
    <form
      className={classes.save}
      onSubmit={event => {
        event.preventDefault()
        void act(save)
      }}
    >
      {isFirst && (
        <Text size="sm" c="var(--text-2)">
          {t('none')}
        </Text>
      )}
      <TextInput
        label={t('save')}
        placeholder={t('name')}
        maxLength={40}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      {mayShare && (
        <Switch
          label={t('forAll')}
          checked={shared}
          onChange={event => setShared(event.currentTarget.checked)}
        />
      )}
      <Button type="submit" variant="default" disabled={name.trim() === ''} loading={busy}>
        {t('add')}
      </Button>
    </form>
  )
}
