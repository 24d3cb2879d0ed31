import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/platform/postgres/embedded/server.ts'
import { until } from './person.ts'

const SAMPLE = new URL('../../../deploy/nginx-several.conf', import.meta.url)

/** nginx, where it is on the PATH; else why there is none. */
export function nginxProgram(): { program: string } | { missing: string } {
  for (const program of ['nginx', '/usr/sbin/nginx'])
    if (spawnSync(program, ['-v'], { stdio: 'ignore' }).status === 0) return { program }
  return { missing: 'nginx is not installed' }
}

/** nginx with the sample for several processes before these two ports, without TLS. */
export async function startNginx(program: string, ports: [string, string]) {
  const prefix = mkdtempSync(join(tmpdir(), 'balcao-nginx-'))
  const port = await freePort()
  const sample = readFileSync(SAMPLE, 'utf8')
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${ports[1]}`)
    // the server that leads to TLS
    .replace(/^server \{\n\tlisten 80;[\s\S]*?^\}\n/m, '')
    .replace(/^\tlisten 443 .*$/m, `\tlisten 127.0.0.1:${port};`)
    .replace(/^\t(listen \[::\]|ssl_certificate).*\n/gm, '')
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(prefix, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off; pid nginx.pid; error_log stderr warn; worker_processes 1;
events { worker_connections 1024; }
http {
access_log off;
${kinds.map(kind => `${kind}_temp_path ${kind};`).join('\n')}
${sample}
}`,
  )
  const server = spawn(program, ['-p', prefix, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  server.stderr.on('data', text => (printed += text))
  const ended = new Promise<void>(done => server.once('close', () => done()))
  const abandon = () => void server.kill('SIGQUIT')
  process.once('exit', abandon)
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/metrics`).then(
      ({ status }) => status === 404,
      () => false,
    ),
  )
  return {
    url,
    output: () => printed,
    async end() {
      process.off('exit', abandon)
      server.kill('SIGTERM')
      await ended
      rmSync(prefix, { recursive: true, force: true })
    },
  }
}
