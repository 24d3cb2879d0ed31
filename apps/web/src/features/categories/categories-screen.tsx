import type { ListedCategory } from '@balcao/contract/categories.ts'
import { IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { Pill } from '../../ui/chip.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { categoryList, removeCategory } from './categories.api.ts'
import { useCategoryMenuText } from './categories.menu.text.ts'
import { useCategoryText } from './categories.text.ts'
import { CategoryDialog } from './category.dialog.tsx'

const PATH = '/CategoryContact'

export default function CategoriesScreen() {
  const t = useCategoryText()
  const title = useCategoryMenuText()('categories')
  const list = useList(categoryList)
  const [removing, setRemoving] = useState<ListedCategory | null>(null)
  const columns: Column<ListedCategory>[] = [
    {
      key: 'name',
      head: t('name'),
      cell: one => <Pill label={one.name} color={one.color} on="bg-hover" whole />,
    },
    { key: 'contacts', head: t('contacts'), kind: 'number', cell: one => whole(one.contactsCount) },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions name={one.name} edit={`${PATH}/${one.id}`} onRemove={() => setRemoving(one)} />
      ),
    },
  ]
  return (
    <ListScreen
      path={PATH}
      title={title}
      back={{ path: '/contacts', label: t('back') }}
      list={list}
      add={t('add')}
      dialog={CategoryDialog}
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
          remove={evenIfUsed => removeCategory(removing.id, evenIfUsed)}
          onClose={() => setRemoving(null)}
        >
          {removing.contactsCount === 0
            ? t('removeNone')
            : t('removeHint', { count: removing.contactsCount })}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}
