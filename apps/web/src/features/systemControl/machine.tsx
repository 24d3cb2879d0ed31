import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../platform/errors.text.ts'
import { Gauge } from './gauge.tsx'
import classes from './system.module.css'
import { resources } from './systemControl.api.ts'
import { percent, sizeOf, spanOf } from './systemControl.shown.ts'
import { useSystemText } from './systemControl.text.ts'

/** Disk, memory and processor of the machine that answers. */
export function Machine() {
  const t = useSystemText()
  const { data, isError, error } = useQuery(resources)
  if (isError && !data) return <p role="alert">{errorText(error)}</p>
  if (!data) return <p role="status">{t('loading')}</p>
  const { disk, memory, cpu, os } = data
  const used = (total: number, free: number) =>
    t('ofTotal', { used: sizeOf(total - free), total: sizeOf(total) })
  return (
    <div className={classes.machine}>
      <p>{t('runsFor', { host: os.host, name: os.name, time: spanOf(os.uptime * 1000) })}</p>
      <dl className={classes.gauges}>
        <div>
          <dt>{t('disk')}</dt>
          <dd>
            <Gauge
              label={t('disk')}
              value={disk.total - disk.available}
              max={disk.total}
              shown={used(disk.total, disk.available)}
            />
          </dd>
        </div>
        <div>
          <dt>{t('memory')}</dt>
          <dd>
            <Gauge
              label={t('memory')}
              value={memory.total - memory.free}
              max={memory.total}
              shown={used(memory.total, memory.free)}
            />
          </dd>
        </div>
        <div>
          <dt>{t('cpu')}</dt>
          <dd>
            <Gauge label={t('cpu')} value={cpu.currentLoad} max={100} shown={percent(cpu.currentLoad)} />
          </dd>
        </div>
        {cpu.perCoreLoad.map((load, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cores have no other name
          <div key={at}>
            <dt>{t('core', { number: at + 1 })}</dt>
            <dd>
              <Gauge label={t('core', { number: at + 1 })} value={load} max={100} shown={percent(load)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
