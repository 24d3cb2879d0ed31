import type { NotificationTemplate } from '@balcao/contract/billingNotices.ts'
import { Button } from '@mantine/core'
import { IconCheck, IconMailCog, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { errorText } from '../../platform/errors.text.ts'
import { clock } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { Late } from '../../ui/late.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { RowActions } from '../../ui/list-screen/row-actions.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { removeTemplate, templateList } from './billingNotices.api.ts'
import { useNoticeMenuText } from './billingNotices.menu.text.ts'
import { useTemplateText } from './billingNotices.templates.text.ts'

/** The texts of the operator's billing notices. */
export default function TemplatesScreen() {
  const t = useTemplateText()
  const title = useNoticeMenuText()('templates')
  const { data, error } = useQuery(templateList)
  const [removing, setRemoving] = useState<NotificationTemplate | null>(null)
  const columns: Column<NotificationTemplate>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'type', head: t('type'), cell: one => t(one.type) },
    { key: 'changed', head: t('changed'), cell: one => clock(one.updatedAt).format('L LT') },
    { key: 'used', head: '', cell: one => one.isUsed && <Used /> },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => (
        <RowActions
          name={one.name}
          edit={`/notificationTemplateManager/${one.id}`}
          onRemove={() => setRemoving(one)}
        />
      ),
    },
  ]
  return (
    <Page
      title={title}
      actions={
        <Button
          component={Link}
          to="/notificationTemplateManager"
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {t('add')}
        </Button>
      }
    >
      {data ? (
        <Table
          label={title}
          columns={columns}
          rows={data}
          keyOf={one => one.id}
          empty={
            <Empty icon={<IconMailCog size={26} />} title={t('none')}>
              {t('noneHint')}
            </Empty>
          }
        />
      ) : (
        <Late>
          <p role="status">{error && errorText(error)}</p>
        </Late>
      )}
      {removing && (
        <RemoveDialog
          title={t('remove', { name: removing.name })}
          remove={() => removeTemplate(removing.id)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  )
}

function Used() {
  const t = useTemplateText()
  return (
    <Status tone="success" icon={<IconCheck size={13} aria-hidden />}>
      {t('used')}
    </Status>
  )
}
