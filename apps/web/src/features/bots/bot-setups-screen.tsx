import type { BotSetup } from '@balcao/contract/bots.ts'
import { IconCopy, IconRobot, IconSitemap } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { BotSetupDialog } from './bot-setup.dialog.tsx'
import classes from './bot-setup.module.css'
import { botSetupList, copyBotSetup, mayChange, removeBotSetup } from './bots.api.ts'
import { useBotMenuText } from './bots.menu.text.ts'
import { placeOfBot } from './bots.places.ts'
import { useBotText } from './bots.text.ts'

const PATH = '/BotSetups'

/** The bots of the company and the connections they answer on. */
export default function BotSetupsScreen() {
  const t = useBotText()
  const title = useBotMenuText()('bots')
  const list = useList(botSetupList)
  const [removing, setRemoving] = useState<BotSetup | null>(null)
  const columns: Column<BotSetup>[] = [
    {
      key: 'name',
      head: t('name'),
      cell: one => (
        <Link className={classes.name} to={placeOfBot(one)}>
          {one.name}
        </Link>
      ),
    },
    { key: 'type', head: t('botType'), cell: ({ botType }) => t(botType) },
    {
      key: 'speaks',
      head: t('connections'),
      cell: ({ whatsapps }) =>
        whatsapps.length > 0 ? (
          <Status tone="success" icon={<IconRobot size={14} aria-hidden />}>
            {whatsapps.map(({ name }) => name).join(', ')}
          </Status>
        ) : (
          <Status tone="neutral">{t('off')}</Status>
        ),
    },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => <Actions setup={one} onRemove={() => setRemoving(one)} />,
    },
  ]
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      back={{ path: '/Bots', label: t('toBots') }}
      add={t('add')}
      dialog={BotSetupDialog}
    >
      <ListTable
        label={title}
        columns={columns}
        list={list}
        icon={IconRobot}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={() => removeBotSetup(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

/** Users who neither administer nor own the bot may only copy it (BOTSETUP-006). */
function Actions({ setup, onRemove }: { setup: BotSetup; onRemove(): void }) {
  const t = useBotText()
  const goTo = useGoTo()
  const may = mayChange(useUser(), setup)
  const { name } = setup
  const copy = () =>
    copyBotSetup(setup.id).then(copied => notify.done(t('copied', { name: copied.name })), notify.failed)
  return (
    <>
      {may && (
        <IconButton label={t('manage', { name })} onClick={() => goTo(placeOfBot(setup))}>
          <IconSitemap size={18} stroke={1.75} />
        </IconButton>
      )}
      <IconButton label={t('copy', { name })} onClick={() => void copy()}>
        <IconCopy size={18} stroke={1.75} />
      </IconButton>
      {may && <RowActions name={name} edit={`${PATH}/${setup.id}`} onRemove={onRemove} />}
    </>
  )
}
