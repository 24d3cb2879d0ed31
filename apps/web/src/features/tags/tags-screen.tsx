import type { Tag } from '@balcao/contract/tags.ts'
import { Button } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Pill } from '../../ui/chip.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions, useWhyNot } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { TagDialog } from './tag.dialog.tsx'
import { removeTag, tagList } from './tags.api.ts'
import { useTagMenuText } from './tags.menu.text.ts'
import { useTagText } from './tags.text.ts'

const PATH = '/tags'

export default function TagsScreen() {
  const t = useTagText()
  const title = useTagMenuText()('tags')
  const list = useList(tagList)
  const [removing, setRemoving] = useState<Tag | null>(null)
  const whyNot = useWhyNot('shared:delete')
  const columns: Column<Tag>[] = [
    { key: 'name', head: t('name'), cell: one => <Pill label={one.name} color={one.color} whole /> },
    { key: 'kanban', head: t('kanban'), cell: one => one.kanban === 1 && t('yes') },
    { key: 'tickets', head: t('tickets'), kind: 'number', cell: one => one.ticketsCount },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions
          name={one.name}
          edit={`${PATH}/${one.id}`}
          onRemove={() => setRemoving(one)}
          whyNot={whyNot}
        />
      ),
    },
  ]
  const used = removing?.ticketsCount ?? 0
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      add={t('add')}
      dialog={TagDialog}
      actions={
        <Button component={Link} to="/kanban" variant="default">
          {t('board')}
        </Button>
      }
    >
      <ListTable
        label={title}
        columns={columns}
        list={list}
        icon={IconTags}
        none={t('none')}
        hint={t('noneHint')}
      />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          remove={evenIfUsed => removeTag(removing.id, evenIfUsed)}
          onClose={() => setRemoving(null)}
          done={t('removed')}
        >
          {used === 0 ? t('removeHint') : t('removeUsed', { count: used })}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
