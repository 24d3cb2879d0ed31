import type { Prompt } from '@balcao/contract/botConfigs.ts'
import { Button } from '@mantine/core'
import { IconChartDots, IconMessageChatbot, IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMay } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { AnswersDialog } from './answers.dialog.tsx'
import { BotConfigDialog } from './bot-config.dialog.tsx'
import { botConfigList, removeBotConfig } from './botConfigs.api.ts'
import { useBotConfigText } from './botConfigs.text.ts'
import { TrialDialog } from './trial.dialog.tsx'

const PATH = '/botConfig'

interface Opened {
  what: 'trial' | 'answers' | 'removing'
  prompt: Prompt
}

export default function BotConfigsScreen() {
  const t = useBotConfigText()
  const isMaster = useMay('master')
  const list = useList(botConfigList)
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (what: Opened['what'], prompt: Prompt) => () => setOpened({ what, prompt })
  const columns: Column<Prompt>[] = [
    { key: 'model', head: t('model'), cell: one => one.model },
    { key: 'name', head: t('name'), kind: 'long', cell: one => one.name },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <>
          <IconButton label={t('test', { name: one.name })} onClick={open('trial', one)}>
            <IconMessageChatbot size={18} stroke={1.75} />
          </IconButton>
          <IconButton label={t('history', { name: one.name })} onClick={open('answers', one)}>
            <IconChartDots size={18} stroke={1.75} />
          </IconButton>
          <RowActions name={one.name} edit={`${PATH}/${one.id}`} onRemove={open('removing', one)} />
        </>
      ),
    },
  ]
  return (
    <ListScreen
      path={PATH}
      title={t('title')}
      list={list}
      add={t('add')}
      dialog={BotConfigDialog}
      folds
      actions={
        isMaster && (
          <Button component={Link} to="/integration" variant="default">
            {t('integrations')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('title')}
        columns={columns}
        list={list}
        icon={IconSparkles}
        none={t('none')}
        hint={t('noneHint')}
      />
      <OpenedDialog opened={opened} onClose={() => setOpened(null)} />
    </ListScreen>
  )
}

function OpenedDialog({ opened, onClose }: { opened: Opened | null; onClose(): void }) {
  const t = useBotConfigText()
  if (!opened) return null
  const { what, prompt } = opened
  if (what === 'trial') return <TrialDialog prompt={prompt} onClose={onClose} />
  if (what === 'answers')
    return (
      <AnswersDialog botConfigId={prompt.id} title={t('history', { name: prompt.name })} onClose={onClose} />
    )
  return (
    <RemoveDialog
      title={t('removeTitle', { name: prompt.name })}
      remove={evenIfUsed => removeBotConfig(prompt.id, evenIfUsed)}
      onClose={onClose}
      done={t('removed')}
    >
      {t('removeHint')}
    </RemoveDialog>
  )
}
