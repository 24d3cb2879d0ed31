import { mayChangeToken } from '@balcao/contract/apiTokens.rules.ts'
import type { ApiSendMessageToken } from '@balcao/contract/apiTokens.ts'
import { Button } from '@mantine/core'
import { IconKey, IconPencil, IconRefresh, IconTrash, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMay, useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { ApiTokenDialog } from './api-token.dialog.tsx'
import { ApiTokenQuestion } from './api-token-question.dialog.tsx'
import { apiTokenList } from './apiTokens.api.ts'
import { useApiTokenText } from './apiTokens.text.ts'
import { TokenOnce } from './token-once.dialog.tsx'

const PATH = '/apisendmessage'
type Doing = { what: 'edit' | 'renew' | 'revoke'; token: ApiSendMessageToken }

/** The tokens of the company. The address never holds one: it would stay in the history of the browser. */
export default function ApiTokensScreen() {
  const t = useApiTokenText()
  const list = useList(apiTokenList)
  const [doing, setDoing] = useState<Doing | null>(null)
  const stop = () => setDoing(null)
  const columns: Column<ApiSendMessageToken>[] = [
    { key: 'token', head: t('token'), cell: one => <code>…{one.ending}</code> },
    { key: 'name', head: t('name'), kind: 'name', cell: one => one.name },
    { key: 'status', head: t('status'), cell: one => t(one.ticketSetStatus) },
    { key: 'queue', head: t('queue'), cell: one => one.queue?.name ?? t('noQueue') },
    { key: 'user', head: t('user'), cell: one => one.user?.name },
    { key: 'connection', head: t('connection'), cell: one => one.whatsapp?.name ?? t('removed') },
    {
      key: 'used',
      head: t('used'),
      cell: one => (one.usedAt ? clock(one.usedAt).format('L LT') : t('never')),
    },
    {
      key: 'expires',
      head: t('expires'),
      cell: one => (one.expiresAt ? clock(one.expiresAt).format('L LT') : t('noExpiry')),
    },
    { key: 'actions', head: '', kind: 'actions', cell: one => <Actions token={one} onDo={setDoing} /> },
  ]
  return (
    <ListScreen
      path={PATH}
      title={t('title')}
      list={list}
      add={t('add')}
      dialog={NewTokenDialog}
      back={{ path: '/api', label: t('toApi') }}
      folds
      actions={
        useMay('webhooks') && (
          <Button component={Link} to="/webhooks" variant="default" leftSection={<IconWebhook size={16} />}>
            {t('webhooks')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('title')}
        columns={columns}
        list={list}
        icon={IconKey}
        none={t('none')}
        hint={t('noneHint')}
      />
      <TokenOnce />
      {doing?.what === 'edit' && <ApiTokenDialog token={doing.token} onClose={stop} />}
      {doing && doing.what !== 'edit' && (
        <ApiTokenQuestion token={doing.token} what={doing.what} onClose={stop} />
      )}
    </ListScreen>
  )
}

const NewTokenDialog = ({ onClose }: { onClose(): void }) => <ApiTokenDialog token={null} onClose={onClose} />

/** A user who neither administers nor owns it may only read it (TOKEN-011). */
function Actions({ token, onDo }: { token: ApiSendMessageToken; onDo(doing: Doing): void }) {
  const t = useApiTokenText()
  const { name } = token
  if (!mayChangeToken(useViewer(), token)) return null
  return (
    <>
      <IconButton label={t('editNamed', { name })} onClick={() => onDo({ what: 'edit', token })}>
        <IconPencil size={18} stroke={1.75} />
      </IconButton>
      <IconButton label={t('renew', { name })} onClick={() => onDo({ what: 'renew', token })}>
        <IconRefresh size={18} stroke={1.75} />
      </IconButton>
      <IconButton label={t('revoke', { name })} onClick={() => onDo({ what: 'revoke', token })}>
        <IconTrash size={18} stroke={1.75} />
      </IconButton>
    </>
  )
}
