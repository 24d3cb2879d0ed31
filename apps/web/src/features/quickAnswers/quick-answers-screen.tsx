import type { QuickAnswer } from '@balcao/contract/quickAnswers.ts'
import { IconBolt } from '@tabler/icons-react'
import { useState } from 'react'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions, useWhyNot } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { useOwnerName } from './owner-name.ts'
import { QuickAnswerDialog } from './quick-answer.dialog.tsx'
import { quickAnswerList, removeQuickAnswer } from './quickAnswers.api.ts'
import { useQuickAnswerMenuText } from './quickAnswers.menu.text.ts'
import { useOwnerText } from './quickAnswers.owners.text.ts'
import { useQuickAnswerText } from './quickAnswers.text.ts'

const PATH = '/quickAnswers'

export default function QuickAnswersScreen() {
  const t = useQuickAnswerText()
  const title = useQuickAnswerMenuText()('quickAnswers')
  const list = useList(quickAnswerList)
  const ownerName = useOwnerName()
  const owner = useOwnerText()
  const [removing, setRemoving] = useState<QuickAnswer | null>(null)
  const whyNot = useWhyNot('shared:delete')
  const columns: Column<QuickAnswer>[] = [
    { key: 'shortcut', head: t('shortcut'), cell: one => one.shortcut },
    { key: 'message', head: t('message'), kind: 'long', cell: one => one.message },
    { key: 'owner', head: owner('owner'), kind: 'name', cell: ownerName },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions
          name={one.shortcut}
          edit={`${PATH}/${one.id}`}
          onRemove={() => setRemoving(one)}
          whyNot={one.userId === null ? whyNot : undefined}
        />
      ),
    },
  ]
  return (
    <ListScreen path={PATH} title={title} list={list} add={t('add')} dialog={QuickAnswerDialog}>
      <ListTable
        label={title}
        columns={columns}
        list={list}
        icon={IconBolt}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.shortcut })}
          remove={() => removeQuickAnswer(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
