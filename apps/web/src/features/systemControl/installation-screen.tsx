import { cut } from '@balcao/contract/cut.rules.ts'
import type {
  BrokenConnection,
  CompanySize,
  FailedSending,
  Overview,
  SealedBackups,
} from '@balcao/contract/systemControl.ts'
import { IconBuilding, IconMailX, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { reasonText } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { clock } from '../../platform/time.ts'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { useList, wholeList } from '../../ui/list-screen/use-list.ts'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { Column } from '../../ui/table.tsx'
import classes from './system.module.css'
import { companySizes, overview } from './systemControl.api.ts'
import { useInstallationText } from './systemControl.installation.text.ts'
import { sizeOf } from './systemControl.shown.ts'
import { useSystemText } from './systemControl.text.ts'

/** What the operator looks after in all companies. */
export default function InstallationScreen() {
  const t = useInstallationText()
  const { data } = useQuery(overview)
  return (
    <Page title={useSystemText()('installation')}>
      {data && <State overview={data} />}
      <section className={classes.part}>
        <h2>{t('connections')}</h2>
        <Connections />
      </section>
      <section className={classes.part}>
        <h2>{t('failures')}</h2>
        <Failures />
      </section>
      <section className={classes.part}>
        <h2>{t('companies')}</h2>
        <Companies />
      </section>
    </Page>
  )
}

/** The versions, the newest backup, and what lacks. */
function State({ overview }: { overview: Overview }) {
  const { version, database, backup, sealed, lacks, commit, migration, newer } = overview
  const t = useInstallationText()
  return (
    <section className={classes.part} aria-label={t('lacks')}>
      <p>{t('versions', { version, database })}</p>
      <p>{t('built', { commit: commit ? cut(commit, 12) : '–', migration })}</p>
      {newer && <p role="status">{t('newer', { version: newer })}</p>}
      {backup && <p>{t('backup', { time: timeOf(backup.at), size: sizeOf(backup.bytes) })}</p>}
      {sealed ? <Sealed sealed={sealed} /> : !backup && <p>{t('noBackup')}</p>}
      <h2>{t('lacks')}</h2>
      {lacks.length === 0 ? (
        <p>{t('nothingLacks')}</p>
      ) : (
        <ul>
          {lacks.map(lack => (
            <li key={lack}>{t(lack)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What BACKUP_TO holds, and whether it was proven. */
function Sealed({ sealed }: { sealed: SealedBackups }) {
  const t = useInstallationText()
  const timeOrNever = (at: string | null) => (at ? timeOf(at) : t('never'))
  const size = sizeOf(sealed.bytes)
  const facts = [
    [t('place'), sealed.place, ''],
    [t('newest'), sealed.at ? t('withSize', { time: timeOf(sealed.at), size }) : t('never'), sealed.failure],
    [t('verified'), timeOrNever(sealed.verifiedAt), ''],
    [t('log'), timeOrNever(sealed.logUntil), sealed.logFailure],
    [t('drill'), timeOrNever(sealed.drilledAt), sealed.drillFailure],
  ] as const
  return (
    <>
      <h2>{t('backups')}</h2>
      <dl className={classes.gauges}>
        {facts.map(([name, value, why]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {why && <p role="alert">{t('failed', { why })}</p>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Connections() {
  const t = useInstallationText()
  const columns: Column<BrokenConnection & { id: number }>[] = [
    { key: 'company', head: t('company'), cell: one => one.company },
    { key: 'connection', head: t('connection'), cell: one => one.name },
    { key: 'reason', head: t('reason'), cell: one => (one.reason ? reasonText(one.reason) : one.status) },
    { key: 'since', head: t('since'), cell: one => timeOf(one.since) },
  ]
  const list = useRows(({ connections }) => connections.map(one => ({ ...one, id: one.whatsappId })))
  return (
    <ListTable
      label={t('connections')}
      columns={columns}
      list={list}
      icon={IconPlugConnectedX}
      none={t('allConnected')}
    />
  )
}

function Failures() {
  const t = useInstallationText()
  const columns: Column<FailedSending & { id: string }>[] = [
    { key: 'company', head: t('company'), cell: one => one.company },
    { key: 'kind', head: t('kind'), cell: one => t(one.kind) },
    { key: 'count', head: t('count'), kind: 'number', cell: one => whole(one.count) },
    { key: 'since', head: t('since'), cell: one => timeOf(one.since) },
  ]
  const list = useRows(({ failures }) =>
    failures.map(one => ({ ...one, id: `${one.kind} ${one.companyId}` })),
  )
  return (
    <ListTable label={t('failures')} columns={columns} list={list} icon={IconMailX} none={t('noFailures')} />
  )
}

function Companies() {
  const t = useInstallationText()
  const columns: Column<CompanySize & { id: number }>[] = [
    {
      key: 'company',
      head: t('company'),
      cell: one => <Link to={`/companiesManager/${one.companyId}`}>{one.company}</Link>,
    },
    { key: 'messages', head: t('messages'), kind: 'number', cell: one => whole(one.messages) },
    { key: 'files', head: t('files'), kind: 'number', cell: one => whole(one.files) },
    { key: 'size', head: t('size'), kind: 'number', cell: one => sizeOf(one.bytes) },
    { key: 'leaving', head: t('leaving'), cell: one => one.leavingAt && timeOf(one.leavingAt) },
  ]
  const { rows, typed, type, ...list } = useList(companySizes)
  return (
    <>
      <SearchField className={classes.search} label={t('searchCompany')} value={typed} onChange={type} />
      <ListTable
        label={t('companies')}
        columns={columns}
        list={{ ...list, rows: rows.map(one => ({ ...one, id: one.companyId })) }}
        icon={IconBuilding}
        none={t('noCompanies')}
      />
    </>
  )
}

const timeOf = (at: string) => clock(at).format('L LT')

/** The list state of one part of what is fetched. */
const useRows = <Row,>(rowsOf: (overview: Overview) => Row[]) =>
  wholeList(useQuery({ ...overview, select: rowsOf }))
