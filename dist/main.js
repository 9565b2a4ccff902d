#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);
import{InputError,__callDispose,__using,catchFaults,cellName,cellProgressWords,cellSchema,chooseArtifact,commentEvent,commentWords,
compare,compareResults,cutToColumns,defined,diagnosedCells,duration,endTeller,exitStatus,exitStatusOf,expectedReplicates,
expectedSeconds,explain,fillInEndpoints,groupBy,guardCommandFiles,idOfReport,inputsOf,inputsSchema,isOption,isReportName,
jsonOf,lastLines,linksOf,loadSeconds,measureApps,measurementSchema,messageOf,mostMeasuringSeconds,nearest,openForge,openPosting,
openRunLifetime,openRunner,optionWord,outputsOf,paint,parseExplaining,percentage,plan,planCells,planRequest,planSchema,plural,
printable,printableLines,publish,pullOfRun,reachCheckSeconds,readCommandLine,readInputs,readRawInputs,readRequest,refuseOptions,
refuseTokens,renderAnnouncement,renderComment,renderSummary,renderWithdrawal,reportNothing,reportOf,resultLine,rows,run,
runPorts,runProblem,scanRawInputs,secondsForAge,secondsForReplicates,settingsOf,startDeadline,sum,takeHandedVariables,usualInputs,
wantsColour,wrap}from"./engine.js";var package_default={version:"0.1.0"};async function announce({reportId,mode,isWithdrawal},{progress,links,comment}){let outcome=mode==="never"?{kind:"none",reason:"\
`comment-mode` is never, or `comment` is false"}:await comment({reportId,...isWithdrawal?{isWithdrawal}:{isAnnouncement:!0},
...mode!=="always"&&{silence:`there is no result yet, and \`comment-mode\` is ${mode}`},render:marker=>`${marker}
${isWithdrawal?renderWithdrawal(links):renderAnnouncement(links)}`});return progress({kind:"step",text:commentWords(outcome)}),
outcome}function parsePosting(raw){return{reportId:readInputs(inputsSchema.pick({"report-id":!0}),raw)["report-id"]}}var schema=inputsSchema.
pick({"report-id":!0,"comment-mode":!0,comment:!0,"check-name":!0,"history-branch":!0});function parseAnnouncing(raw,isWithdrawal){
let{comment,...read}=readInputs(schema,raw);return{reportId:read["report-id"],mode:comment?read["comment-mode"]:"never",
isWithdrawal}}function parseCorrecting(raw){let id=rows["report-id"],reportId=id.reader.safeParse(raw["report-id"]||id.fallback).
data;if(reportId===void 0)return;let isUnwanted=raw.comment==="false"||raw["comment-mode"]==="never",checkRun=rows["chec\
k-name"].reader.safeParse(raw["check-name"]||void 0).data;return{reportId,comment:isUnwanted?"never":"always",...defined(
{checkRun})}}var schema2=inputsSchema.pick({history:!0,"results-directory":!0,python:!0});function parseTrending(raw){let said=Object.
entries(raw).filter(([,text])=>text),given={...settingsOf(raw,".")?.texts,...Object.fromEntries(said)},{history,"results\
-directory":resultsDirectory,python}=readInputs(schema2,given),right="must be a folder or a ref, e.g. origin/loadtest-hi\
story";if(history===void 0)throw new InputError([`history: ${right}`]);if(history.startsWith("-"))throw new InputError([
`history: ${right} (got ${JSON.stringify(history)})`]);return{history,resultsDirectory,python}}var initUsage={verb:"init",options:[{name:"app",description:"Import string of an app, e.g. app.main:app. May be repeated\
. Default: all apps found."},{name:"working-directory",description:"Folder of an app. May be repeated. Default: every fo\
lder with an app."},{name:"python",description:"Python for the apps: a program's name or path."},{name:"script",description:"\
Your own load test to run: a k6 script or a Locust file. Default: request the endpoints."},{name:"tests",description:"Te\
sts from which to take example requests: off, a file or folder, or -k WORDS, as in pytest. Default: all that send reques\
ts."},{name:"replace-login",description:"If the tests replace the app's login, write app_without_login.py, which does th\
e same, and measure the app without its login.",isSwitch:!0},{name:"overwrite",description:"Replace existing files. By d\
efault, their content is kept.",isSwitch:!0}]};function parseInit(words){let{values}=readCommandLine(initUsage,words),given=name=>values.
get(name)??[],appFolders=[...new Set(given("working-directory").map(plainFolder))],python=given("python").at(-1),script=given(
"script").at(-1),tests=given("tests").at(-1);return{apps:[...new Set(given("app"))],appFolders,...defined({python}),...script!==
void 0&&{script:plainFolder(script)},...tests!==void 0&&{tests:choiceOf(tests)},...values.has("replace-login")&&{replacesLogin:!0},
overwrites:values.has("overwrite")}}function choiceOf(written){if(written==="off")return{kind:"none"};let[,words]=/^-k[ =]*(.+)$/.
exec(written)??[];return words===void 0?{kind:"path",path:plainFolder(written)}:{kind:"words",words}}function plainFolder(written){
return written.replace(/^(?:\.\/+)+/,"").replace(/\/+$/,"")||"."}var jsonOption={name:"json",description:"Print the same JSON as `explain` to standard output, and all other output to st\
andard error.",isSwitch:!0},commands={init:{summary:"write one workflow, and a configuration file for each app",details:"\
`init` starts each app to find its endpoints and shows every file that it writes.",options:initUsage.options},check:{summary:"\
request each endpoint once and list missing settings",details:"`check` starts the app as `run` does, but measures nothin\
g. The exit status is 2 if anything is missing.",inputsOf:"check",options:[{name:"watch",description:"Repeat the check w\
henever the configuration file changes.",isSwitch:!0},{name:"json",description:"Print JSON only.",isSwitch:!0}]},run:{summary:"\
measure the app, compare it with its base, and report the result",inputsOf:"run",options:[jsonOption]},explain:{summary:"\
print verdicts, causes and advice as JSON",details:"RESULTS is the folder with the results, by default `loadtest-results\
`. The output is at most 8 kB long unless `--all` is set.",words:"[RESULTS]",options:[{name:"all",description:"Print eve\
rything, without a size limit.",isSwitch:!0},{name:"markdown",description:"Print the comment, in markdown, instead of JS\
ON.",isSwitch:!0}]},again:{summary:"measure one cell again to see whether its slowdown is gone",details:"A cell is one e\
ndpoint at one worker count. For each slower cell, the report shows this command, ready to copy. It takes about a minute\
 unless `--max-minutes` is set. The exit status is 0 only if the slowdown is gone.",words:"CELL",inputsOf:"run",defaults:usualInputs.
again,options:[{name:"reported-slowdown",description:"The slowdown that the report was certain of. It counts as gone if \
the largest slowdown that could remain would pass the check, or is at most a quarter of this value."},jsonOption]},bisect:{
summary:"find the commit at which an endpoint got slower or faster",details:"`bisect` measures the commits that `git bis\
ect` chooses, in its own checkout and with the current settings. Commits whose app does not start are skipped. To contin\
ue a search that ended early, run the same command again. The exit status is 0 if the commit is found, or if the two end\
s do not differ. It is 3 if the result is not certain.",inputsOf:"run",defaults:usualInputs.bisect,descriptions:{"max-mi\
nutes":"Maximum measuring time of each comparison, in minutes."},without:["base-ref","control","duration","soak","diagno\
se","comment","comment-mode","fail-on","max-slowdown","thresholds","check-name","review-comments","history-branch","repo\
rt-id","base-url","head-url","allow-target","target-cap"],options:[{name:"good",description:"A commit before the change:\
 a branch, tag or hash."},{name:"bad",description:"A commit with the change."},{name:"endpoint",description:"The endpoin\
t, written as in `endpoints`. Default: the one that changed most."}]},plan:{summary:"list the cells and estimate how lon\
g it takes to measure them",details:"A cell is one endpoint at one worker count. `plan` starts no server.",inputsOf:"pla\
n"},measure:{summary:"measure the cells and write the results of each to a file",inputsOf:"measure"},report:{summary:"tu\
rn the results into a report and post it as a comment",inputsOf:"report"},announce:{summary:"announce the run on the pul\
l request",details:"Workflows run this command before any code from the pull request.",inputsOf:"announce",options:[{name:"\
withdraw",description:"Remove the announcement of a cancelled run.",isSwitch:!0}]},post:{summary:"post another run's rep\
ort as a comment",details:"For workflows that are triggered by `workflow_run`.",inputsOf:"post"},trends:{summary:"show t\
he recorded history and its change points on a web page",inputsOf:"trends",descriptions:{python:"Python interpreter for \
Apache Otava, which finds the change points: a program's name or path. `auto`: one that Otava supports.",history:"The re\
corded history, as a folder or a git ref, e.g. `origin/loadtest-history`."}}},commandNames=Object.keys(commands),width=80;
function helpText(command){return`${(command===void 0?overview():helpOf(command,commands[command])).join(`
`)}
`}function overview(){let widest=Math.max(...commandNames.map(({length})=>length));return["fastapi-loadtest: load-test a\
 FastAPI app and compare it with its base","Usage: fastapi-loadtest COMMAND [OPTION...]","","Commands (`help COMMAND` ex\
plains a command and its options):",...commandNames.map(name=>`  ${name.padEnd(widest)}  ${commands[name].summary}`),"",
"Options for run:",...groupsOf("run").flatMap(([subject,options])=>named(subject,options.map(optionWord).join(" "))),"",
"Examples:","  fastapi-loadtest run --base-ref main --max-minutes 5  Is this branch slower?","  fastapi-loadtest run --b\
ase-ref none --workers 1,2,4  How many workers?","","Exit status: 0 success; 1 a regression, or a threshold that was not\
 met;","2 invalid input; 3 the app, its database or k6 failed, or the result of","`again` or `bisect` is not certain; 4 \
an internal error"]}var titleWidth=15;function named(title,text){let indent=" ".repeat(titleWidth+2);return wrap(`  ${title.
padEnd(titleWidth)}${text}`,width,indent)}function groupsOf(verb,without=[]){let options=inputsOf(verb).filter(input=>isOption(
input)&&!without.includes(input.name));return[...groupBy(options,({subject})=>subject)]}function helpOf(name,command){let{
summary,details,words,inputsOf:verb,options=[]}=command,{defaults={},descriptions={},without}=command,first=`${summary.slice(
0,1).toUpperCase()}${summary.slice(1)}.`;return[["Usage: fastapi-loadtest",name,words,"[OPTION...]"].filter(each=>each!==
void 0).join(" "),"",...wrap(details===void 0?first:`${first} ${details}`,width),...options.length===0?[]:["",...options.
flatMap(described)],...verb===void 0?[]:groupsOf(verb,without).flatMap(([subject,own])=>["",`${subject}:`,...own.flatMap(
input=>described({...input,fallback:defaults[input.name]??input.fallback,description:descriptions[input.name]??input.description}))])]}
function described(option){let{name,isFlag,isSwitch,fallback="",description}=option,forms=[`--${name}${isFlag||isSwitch?
"":" VALUE"}`,...isFlag?[`--no-${name}`]:[]].join(", "),text=`      ${(isFlag?description.replace(/^`true`: ./,start=>start.
slice(-1).toUpperCase()):description).replaceAll("`","")}${fallback===""?"":` [${fallback}]`}`;return[`  ${forms}`,...wrap(
text,width,"      ")]}function parseArguments(argv,environment){let[verb,...rest]=argv;if(verb===void 0)return{kind:"help"};if(verb==="help"||
argv.includes("--help")||argv.includes("-h")){let[of]=argv.filter(word=>word!=="help"&&!word.startsWith("-"));return of===
void 0?{kind:"help"}:{kind:"help",of:commandNamed(of)}}if(verb==="--version")return{kind:"version"};if(verb==="reproduce")
throw new InputError([`reproduce: is a separate program; run \`${["node reproduce/dist/reproduce.js",...rest].join(" ")}\
\``]);let command=commandNamed(verb);switch(command){case"run":{let{texts:_,...scanned}=scanRun(rest,environment);return{
kind:"run",verb:"run",...scanned}}case"again":{let[cell="",...options]=rest;if(cell.startsWith("-")||!cellSchema.shape.id.
safeParse(cell).success)throw new InputError([`again: must be followed by the id of a cell, as shown in the comment (got\
 ${JSON.stringify(cell)})`]);let{texts,...scanned}=scanRun(options,environment,["reported-slowdown"]),text=texts["report\
ed-slowdown"],reported=text===void 0?void 0:percentage(100).safeParse(text);if(reported?.error)throw new InputError([`--\
reported-slowdown ${reported.error.issues[0]?.message} (got ${JSON.stringify(text)})`]);return{kind:"again",verb:"run",cell,
...defined({reported:reported?.data}),...scanned}}case"bisect":{let names=["good","bad","endpoint"],{raw,problems,texts}=scanRawInputs(
"run",rest,environment,[],names),{good,bad,endpoint}=texts;if(problems.length===0&&(!good||!bad))throw new InputError(["\
bisect: needs `--good` and `--bad`, commits before and after the change, e.g. --good v1.2 --bad main"]);return{kind:"bis\
ect",verb:"run",...{good:good??"",bad:bad??""},...endpoint&&{endpoint},raw,problems}}case"explain":return{kind:"explain",
...parseExplaining(rest)};case"plan":case"measure":case"report":{let{raw,problems}=scanRawInputs(command,rest,environment);
return{kind:"run",verb:command,raw,problems}}case"check":{let{raw,switches}=readRawInputs("check",rest,environment,["jso\
n","watch"]);return{kind:"check",raw,isJson:switches.has("json"),isWatching:switches.has("watch")}}case"init":return{kind:"\
init",...parseInit(rest)};case"post":return{kind:"post",...parsePosting(readRawInputs("post",rest,environment).raw)};case"\
announce":{let{raw,switches}=readRawInputs("announce",rest,environment,["withdraw"]);return{kind:"announce",...parseAnnouncing(
raw,switches.has("withdraw"))}}case"trends":return{kind:"trends",...parseTrending(readRawInputs("trends",rest,environment).
raw)}}}function scanRun(options,environment,own=[]){let{raw,problems,switches,texts}=scanRawInputs("run",options,environment,
["json"],own);return{raw,problems,texts,...switches.has("json")&&{isJson:!0}}}function commandNamed(name){let command=commandNames.
find(each=>each===name);if(command!==void 0)return command;let meant=nearest(name,commandNames),hint=meant===void 0?`cho\
ose from ${commandNames.join(", ")}`:`did you mean ${meant}?`;throw new InputError([`unknown command ${JSON.stringify(name)}\
; ${hint}`])}async function measure(raw,ports){refuseTokens(ports.environment);let request=await readRequest("measure",raw,ports.request),
apps=await fillInEndpoints(request,ports),workloads=apps.map(({workload})=>workload),plan2=await planCells(apps,ports.planPorts(
{forMatrix:!1})),{measurements,problems}=await measureApps(plan2,workloads,workload=>ports.measurePorts(request.reporting,
workload));if(problems.length>0)throw new InputError(problems);return measurements.every(({status})=>status==="measured"||
status==="not reached")?exitStatus.fine:exitStatus.environmentFailed}function plainMeasurement(measurement){let{cell,failure,loneArm,environment,instructions,diagnosis:_,redirects:__,notices:____,
replicates,...figures}=measurement;return{...figures,replicates:replicates.map(({script:__2,scripts:___,...replicate})=>replicate),
commits:{},...instructions&&{instructions:"starts"in instructions?instructions:{unseen:"the log of its run shows why"}},
cell:plainCell(cell),...failure&&{failure:{phase:failure.phase,reason:"the log of its run shows why",logTail:""}},...loneArm&&
{loneArm:{kind:loneArm.kind,reason:loneArmReasons[loneArm.kind],logTail:""}},...environment&&{environment:plainEnvironment(
environment)}}}function plainCell(cell){return{...cell,endpoint:plainRequested(cell.endpoint),server:plainServer(cell.server)}}
function plainThreshold({endpoint,...threshold}){if(endpoint===void 0)return threshold;let[,method="",path=""]=/^([A-Z]+ )?(.*)$/s.
exec(endpoint)??[];return{...threshold,endpoint:`${method}${plainPath(path)}`}}var loneArmReasons={added:"the endpoint i\
s new",removed:"the endpoint is only in the base","no base":"the log of its run shows why"},longestPath=120;function plainRequested(requested){
return"script"in requested?{script:plainPath(requested.script)||"script"}:"mix"in requested?{mix:requested.mix.map(({weight,
endpoint})=>({weight,endpoint:plainEndpoint(endpoint)}))}:"steps"in requested?{steps:requested.steps.map(step=>"path"in step?
plainEndpoint(step):step)}:plainEndpoint(requested)}function plainEndpoint({path,...rest}){return{...rest,path:plainPath(
path)}}function plainPath(path){return path.replaceAll(/[^\w./{}:?&=%,~+-]/g,"_").slice(0,longestPath)}function plainServer(server){
let[program=""]=server.split(" ");return/^[\w./-]{1,60}$/.test(program)?program:"server"}var version=/^\d{1,6}(?:\.\d{1,10}){0,4}(?:\.?(?:a|b|rc|post|dev)\d{1,6})?$/,
platform=/^(?:linux|darwin|win32|freebsd) (?:x64|arm64|arm|ia32|ppc64|s390x|riscv64)$/,kernel=/^\d{1,3}(?:\.\d{1,4}){1,3}(?:-\d{1,5})?(?:-(?:azure|aws|gcp|generic|oracle|linuxkit|amd64|arm64)$)?/,
eventLoops=/^(?:asyncio|uvloop|winloop|rloop|trio)$/,httpParsers=/^(?:httptools|h11|h2|hyper)$/,cpuList=/^[\d,-]{1,100}$/,
processorWord=/^(?:Intel(?:\(R\))?|AMD|Apple|ARMv\d|Ampere\(?R?\)?|Altra|Xeon(?:\(R\))?|Core(?:\(TM\))?|EPYC(?:-\w{4,7})?|Ryzen|Threadripper|Platinum|Gold|Silver|Bronze|PRO|Pro|Max|Ultra|CPU|Processor|\d{1,3}-Core|Neoverse-[A-Z]\d|Cortex-[A-Z]\d{1,3}|\(R\)|@|v\d|M\d|i\d-\d{3,5}[A-Z]{0,2}|E\d-\d{4}[A-Z]?|\d{3,5}[A-Z]{0,2}\+?|[A-Z]?\d\.\d{1,2}GHz|\d\.\d{1,2}GHz)$/,
unknown="unknown";function plainProcessor(text){let words=text.slice(0,80).split(/\s+/);return words.length<=8&&words.every(
word=>processorWord.test(word))?words.join(" "):unknown}function plainEnvironment({appCpus,otherCpus,postgres,basePackages,
sharedServices:_,outsideHosts:__,...environment}){let as=(form,text)=>form.test(text)?text:unknown,ifGiven=(form,text)=>text===
void 0?void 0:as(form,text),ifKnown=(form,text)=>text===""?"":as(form,text),plainPackages=packages=>Object.fromEntries(Object.
entries(packages).filter(([name,value])=>/^[\w.-]{1,60}$/.test(name)&&(value===""||version.test(value))));return{...environment,
...defined({appCpus:ifGiven(cpuList,appCpus),otherCpus:ifGiven(cpuList,otherCpus),postgres:ifGiven(version,postgres),basePackages:basePackages&&
plainPackages(basePackages)}),cpuModel:plainProcessor(environment.cpuModel),kernel:kernel.exec(environment.kernel)?.[0]??
unknown,platform:as(platform,environment.platform),runner:"the run's own runner",node:as(version,environment.node),k6:ifKnown(
version,environment.k6),python:ifKnown(version,environment.python),eventLoop:ifKnown(eventLoops,environment.eventLoop),httpParser:ifKnown(
httpParsers,environment.httpParser),packages:plainPackages(environment.packages)}}var deepest=16;function readStrangersReport(documents){let plan2=planIn(documents);if(plan2===void 0)return{kind:"refuse\
d",reason:"it contains no plan written by this version"};let cells=documents.filter(({name})=>name!=="plan.json"),measurements=cells.
flatMap(each=>measurementIn(each)??[]),lost=cells.length-measurements.length,comparison=compare(plan2,measurements),lostWarnings=lost===
0?[]:[`Ignored ${plural(lost,"document")} that this version did not write.`];return{kind:"report",comparison:{...comparison,
warnings:["These figures come from another run, and its code could have invented them.",...lostWarnings,...comparison.warnings]}}}
function planIn(documents){let document=documents.find(({name})=>name==="plan.json"),plan2=planSchema.safeParse(valueIn(
document?.text??"")).data;if(plan2===void 0||new Set(plan2.cells.map(({id})=>id)).size<plan2.cells.length)return;let thresholds=plan2.
check?.thresholds?.map(plainThreshold),{settings:_,...rest}=plan2;return{...rest,cells:plan2.cells.map(plainCell),...plan2.
check&&{check:{...plan2.check,...thresholds&&{thresholds}}}}}function measurementIn({name,text}){let measurement=measurementSchema.
safeParse(valueIn(text)).data;return measurement!==void 0&&name===`cells/${measurement.cell.id}.json`?plainMeasurement(measurement):
void 0}function valueIn(text){return jsonDepth(text)>deepest?void 0:jsonOf(text)}function jsonDepth(text){let depth=0,deepest2=0,
isInString=!1;for(let index=0;index<text.length;index++){let unit=text[index];isInString?unit==="\\"?index++:unit==='"'&&
(isInString=!1):unit==='"'?isInString=!0:unit==="["||unit==="{"?deepest2=Math.max(deepest2,++depth):(unit==="]"||unit===
"}")&&depth--}return deepest2}async function post(posting,ports){let outcome=await postReport(posting,ports);return ports.progress(commentEvent(outcome)),
await ports.setOutputs(outputsOf(outcome)),outcome}async function postReport({reportId},{addSummary,posting:forge}){if(forge.
kind==="none")return forge;let run2=await forge.readRun(forge.run.runId);if(run2.kind==="no answer")return run2.outcome;
let problem=runProblem(forge.run,run2.value);if(problem!==void 0)return{kind:"none",reason:problem};let pulls=await forge.
listPulls(run2.value);if(pulls.kind==="no answer")return pulls.outcome;let pull=pullOfRun(run2.value,pulls.value);if(pull.
kind==="none")return pull;let artifacts=await forge.listArtifacts(run2.value,name=>isReportName(name,reportId));if(artifacts.
kind==="no answer")return artifacts.outcome;let chosen=chooseArtifact(reportId,artifacts.value);if(chosen.kind!=="artifa\
ct")return chosen;let documents=await forge.readArtifact(chosen.artifact);if(documents.kind==="no answer")return documents.
outcome;let read=readStrangersReport(documents.value);if(read.kind==="refused")return{kind:"refused",reason:`the run's r\
eport was not produced by this action: ${read.reason}`};let report2=reportOf(read.comparison,forge.linksOf(run2.value)),
{id:runId,runNumber,attempt,headSha}=run2.value;return await addSummary(renderSummary(report2)),await forge.comment({pullNumber:pull.
number,state:{reportId:calledBy(run2.value,reportId,chosen.artifact.name),runNumber,attempt,headSha,runId},render:marker=>renderComment(
report2,{marker})})}function calledBy(run2,reportId,artifact){return run2.headRepository?.id===run2.repositoryId?idOfReport(
artifact):reportId}async function report(raw,ports){let{reporting}=await readRequest("report",raw,ports.request).catch(async error=>{throw error instanceof
InputError&&await correctComment(raw,ports),error}),reportPorts=ports.reportPorts(reporting),results=await compareResults(
reporting,reportPorts);return await publish(results,reporting,reportPorts),exitStatusOf(results.comparison)}async function correctComment(raw,ports){
let correcting=parseCorrecting(raw);correcting!==void 0&&await reportNothing(correcting,ports.reportPorts({resultsDirectory:"\
."}))}var announcingMs=2e4;function announcePorts(shared){let{environment,runner,signal,terminal}=shared;return{progress:terminal.
progress,links:linksOf(runner.context),comment:async report2=>{var _stack=[];try{let deadline=__using(_stack,startDeadline(
{ms:announcingMs,signal}));return await openForge(runner.context,environment,{signal:deadline.signal}).comment(report2)}catch(_){
var _error=_,_hasError=!0}finally{__callDispose(_stack,_error,_hasError)}}}}function postPorts({environment,runner,terminal,
signal}){return{progress:terminal.progress,addSummary:runner.addSummary,setOutputs:runner.setOutputs,posting:openPosting(
runner.context,runner.runOfEvent,environment,{signal})}}function eventLines(event){switch(event.kind){case"plan":return[planLine(event.plan,event.jobs)];case"step":return[printable(
event.text)];case"phase started":return[`${phaseWords(event.phase)}, about ${duration(event.seconds)}`];case"load starte\
d":return[event.seconds===void 0?"under load":`under load for ${duration(event.seconds)}`];case"replicate measured":return[];case"\
cell started":return[`${position(event)} ${cellName(event.cell)}`];case"cell finished":return[`${position(event)} ${resultLine(
event.measurement,event.design)}`];case"nothing measured":return[`Nothing can be measured: ${event.failure.phase}: ${printable(
event.failure.reason)}`];case"warning":return[`Warning: ${printable(event.text)}`]}}function phaseWords(phase){switch(phase){case"\
reach check":return"Checking which endpoints the change affects";case"soak test":return"Soak test";case"instructions":return"\
Counting CPU instructions";case"causes":return"Looking for causes"}}function planLine({cells,estimatedSeconds,design},jobs=1){
let what=`${design===void 0?"Measuring":"Comparing"} ${extentOf(cells)}`,where=jobs>1?` in ${plural(jobs,"job")}, each`:
",",together=jobs>1?1:cells.length,probably=design===void 0||cells.some(({load})=>load.kind==="script")?"":` probably ${duration(
expectedSeconds(design,together))},`;return estimatedSeconds===void 0?what:`${what}${where}${probably} ${design===void 0?
"about":"usually at most"} ${duration(estimatedSeconds)}`}function extentOf(cells){let endpoints=new Set(cells.map(({app,
endpoint})=>JSON.stringify([app,endpoint]))).size,workerCounts=new Set(cells.map(({workers})=>workers)).size;if(!(endpoints*
workerCounts===cells.length)||!cells.every(({endpoint})=>"path"in endpoint))return plural(cells.length,"cell");let times=workerCounts>
1?` × ${plural(workerCounts,"worker count")}`:"";return`${plural(endpoints,"endpoint")}${times}`}function logLines(event,mostCharacters){
let failure=failureOf(event),log=printableLines(lastLines(failure?.logTail??"",mostCharacters)).trimEnd();return log===""?
[]:log.split(`
`).map(line=>`  | ${line}`)}function failureOf(event){return event.kind==="nothing measured"?event.failure:event.kind===
"cell finished"?event.measurement.failure:void 0}function groupCommand(title){return`::group::${title.replaceAll("%","%2\
5").replaceAll("\r","%0D").replaceAll(`
`,"%0A")}`}function position({index,total}){return`[${index+1}/${total}]`}var stages=["preparation","reach check","measuring","soak test","instructions","causes"],preparationSeconds=10,startSeconds=2,
leastShare=.05,noTime={plan:void 0,later:[],stage:"preparation",stageMs:0,stageSeconds:preparationSeconds,isAged:!1,total:0,
finished:0,notable:0,replicates:new Map,allReplicates:0,cellMs:0};function nextTime(time,event,nowMs){switch(event.kind){case"\
plan":return{...noTime,plan:event.plan,later:event.later??[],total:event.plan.cells.length,stageMs:nowMs};case"phase sta\
rted":return event.phase==="instructions"&&endMs(time)>nowMs+1e3*event.seconds?time:{...time,stage:event.phase,stageMs:nowMs,
stageSeconds:event.seconds,isAged:time.isAged||event.phase==="soak test"||event.phase==="instructions"};case"cell starte\
d":return{...time.stage==="measuring"?time:{...time,stage:"measuring",stageMs:nowMs,allReplicates:0},total:event.total,cellMs:nowMs};case"\
replicate measured":{let replicates=new Map(time.replicates).set(event.cell.id,event.progress.replicates);return{...time,
replicates,allReplicates:time.allReplicates+1}}case"cell finished":{let{measurement,design}=event,replicates=new Map(time.
replicates);replicates.delete(measurement.cell.id);let notable=time.notable+diagnosedCells([measurement],design,"on-chan\
ge").size;return{...time,replicates,notable,finished:time.finished+1,cellMs:nowMs}}default:return time}}function endMs({
stage,stageMs,stageSeconds}){return stage==="soak test"?stageMs+1e3*stageSeconds:0}function remainingMs(time,nowMs){let{
plan:plan2,later}=time;if(plan2===void 0)return;let left=secondsOf(time,plan2,nowMs),own=stagesLeft(time).map(each=>left(
each)),others=later.map(each=>{let whole=secondsOf({...noTime,plan:each,total:each.cells.length},each,0);return sumOf(stages.
map(whole))}),seconds=sumOf([...own,...others]);return seconds===void 0?void 0:seconds*1e3}function stagesLeft({stage,isAged}){
return!isAged||stage==="causes"?stages.slice(stages.indexOf(stage)):stage==="measuring"?[stage,"causes"]:[stage,"measuri\
ng","causes"]}function sumOf(all){let known=all.filter(each=>each!==void 0);return known.length<all.length?void 0:sum(known)}
function secondsOf(time,plan2,nowMs){let elapsed=(nowMs-time.stageMs)/1e3,{design}=plan2;return stage=>stage==="measurin\
g"?measuringSeconds(time,plan2,nowMs):stage===time.stage?atLeast(time.stageSeconds,elapsed):stage==="causes"?causesSeconds(
time,plan2):design===void 0||stage==="instructions"?0:stage==="soak test"?secondsForAge(design):reachCheckSeconds}function atLeast(usual,elapsed){
return Math.max(usual-elapsed,usual*leastShare)}function measuringSeconds(time,plan2,nowMs){let{design}=plan2;return design===
void 0||time.finished>0&&time.allReplicates===0?aloneSeconds(time,plan2,nowMs):roundsSeconds(time,plan2,design,nowMs)}function aloneSeconds(time,{
cells},nowMs){let{finished,total,stage,stageMs,cellMs}=time,[seconds]=cells.map(({load})=>loadSeconds(load)),planned=seconds===
void 0?void 0:seconds+startSeconds,each=finished>0?(cellMs-stageMs)/1e3/finished:planned;if(each===void 0)return;let unfinished=total-
finished;return stage==="measuring"&&unfinished>0?(unfinished-1)*each+atLeast(each,(nowMs-cellMs)/1e3):unfinished*each}function roundsSeconds(time,plan2,design,nowMs){
if(plan2.cells.some(({load})=>load.kind==="script"))return;let{replicates,allReplicates,total,finished,stage,stageMs}=time,
elapsed=stage==="measuring"?(nowMs-stageMs)/1e3:0,usual=secondsForReplicates(1),each=allReplicates>1&&elapsed>0?elapsed/
allReplicates:usual,expected=expectedReplicates(design),ofBegun=[...replicates.values()].map(done=>Math.max(expected-done,
1)),count=sum(ofBegun)+Math.max(0,total-finished-replicates.size)*expected,most=design.maxMinutes*60-secondsForAge(design)-
elapsed;return Math.max(Math.min(count*each,most),count===0?0:usual*leastShare)}function causesSeconds({total,finished,notable},plan2){
let{cells,design,estimatedSeconds}=plan2;if(estimatedSeconds===void 0||total===0)return 0;let measuring=design===void 0?
sum(cells.map(({load})=>(loadSeconds(load)??0)+startSeconds)):mostMeasuringSeconds(cells.length,design);return Math.max(
0,estimatedSeconds-measuring)*(total-finished+notable)/total}function liveFrom(startedMs){return{startedMs,time:noTime,step:"",current:void 0,changes:new Map}}function nextLive(live,event,nowMs){
let next={...live,time:nextTime(live.time,event,nowMs)};switch(event.kind){case"plan":return{...next,current:void 0,step:"\
Preparing"};case"step":return{...next,step:event.text};case"phase started":return{...next,current:void 0,step:phaseWords(
event.phase)};case"cell started":return{...next,current:event,step:""};case"replicate measured":return{...next,changes:new Map(
live.changes).set(event.cell.id,cellProgressWords(event.progress))};case"load started":{let load=`under load${event.seconds===
void 0?"":` for ${duration(event.seconds)}`}`;return live.current===void 0?next:{...next,step:load}}case"cell finished":
return{...next,current:void 0,step:""};case"nothing measured":case"warning":return next}}var barColumns=16;function renderLive(live,nowMs,width2){
let{changes,current,startedMs,step}=live,elapsedMs=nowMs-startedMs,now=[current===void 0?"":changes.get(current.cell.id)??
"",printable(step)].filter(text=>text!=="").join(", "),what=[current===void 0?"":`${position(current)} ${cellName(current.
cell)}`,now].filter(text=>text!=="").join(": "),line=[...bar(live,elapsedMs,nowMs),what].filter(text=>text!=="").join(" \
 ");return cutToColumns(line,Math.max(1,width2-1))}function bar({time},elapsedMs,nowMs){if(time.plan===void 0)return[clock(
elapsedMs)];let leftMs=remainingMs(time,nowMs),share=leftMs===void 0?time.finished/time.total:elapsedMs/(elapsedMs+leftMs),
percents=Math.min(99,Math.floor(share*100)),full=Math.floor(percents/100*barColumns),whole=leftMs===void 0?"":` of ~${clock(
Math.ceil((elapsedMs+leftMs)/5e3)*5e3)}`;return[`${"█".repeat(full)}${"░".repeat(barColumns-full)} ${String(percents).
padStart(2)}%`,`${clock(elapsedMs)}${whole}`]}function clock(ms){let seconds=Math.floor(ms/1e3),[hours,minutes]=[Math.floor(
seconds/3600),Math.floor(seconds/60)%60],twoDigits=value=>String(value).padStart(2,"0"),rest=twoDigits(seconds%60);return hours>
0?`${hours}:${twoDigits(minutes)}:${rest}`:`${minutes}:${rest}`}var logLength=1500,redrawMs=250;function createTerminal(options){let{colour,stdout,width:width2}=options,view=options.isTTY?
openLiveView(options):openLog(options);return{width:width2,colour,progress:view.show,finish:text=>{view.close(),text!==void 0&&
stdout.write(text.endsWith(`
`)?text:`${text}
`)}}}function openLiveView({stdout,width:width2=80,colour,now}){let live=liveFrom(now()),isDrawn=!1,isOpen=!0,timer,draw=scrolling=>{
let lines=isOpen?[...scrolling,renderLive(live,now(),width2)]:scrolling,text=(isDrawn?"\x1B[1F\x1B[J":"")+lines.map(line=>`${line}\

`).join("");isDrawn=isOpen,text!==""&&stdout.write(text)};return{show:event=>{live=nextLive(live,event,now());let isLasting=[
"plan","cell finished","nothing measured","warning"].includes(event.kind)||!isOpen,wrapped=eventLines(event).flatMap(line=>wrap(
line,width2,"  "));draw(isLasting?[...wrapped,...logLines(event,logLength)].map(painted(event,colour)):[]),isOpen&&(timer??=
setInterval(()=>draw([]),redrawMs).unref())},close:()=>{isOpen=!1,clearInterval(timer),draw([])}}}function openLog({stdout,
ci,isVerbose,colour}){let begun=new Set,isGroupOpen=!1,isWithin=!1,isInCell=!1,print=lines=>{for(let line of lines)stdout.
write(`${line}
`)},endGroup=()=>{isGroupOpen&&print(["::endgroup::"]),isGroupOpen=!1},startPart=title=>{endGroup(),print([ci?groupCommand(
title):title]),isGroupOpen=ci,isWithin=!0},showStep=event=>{!isVerbose&&(isInCell||event.kind==="load started")||print(eventLines(
event).map(line=>isWithin?`  ${line}`:line))},startCell=event=>{let[title=""]=eventLines(event);isInCell=!0,begun.has(event.
cell.id)?isVerbose&&isGroupOpen?print([`  ${title}`]):isVerbose&&startPart(`${title}, continued`):startPart(title),begun.
add(event.cell.id)};return{show:event=>{switch(event.kind){case"step":case"load started":return showStep(event);case"cel\
l started":return startCell(event);case"phase started":return isInCell=!1,startPart(ci?phaseWords(event.phase):eventLines(
event).join(""));case"cell finished":case"nothing measured":print(logLines(event,ci?Number.POSITIVE_INFINITY:logLength)),
endGroup(),isWithin=!1,isInCell=!1}print(eventLines(event).map(painted(event,colour))),event.kind==="plan"&&(isWithin=!0,
ci&&startPart("Preparing"))},close:()=>{endGroup(),isWithin=!1,isInCell=!1}}}function painted(event,colour){let style=colour?
styleOf(event):void 0;return line=>paint(style,line)}function styleOf(event){return event.kind==="warning"?"yellow":event.
kind==="nothing measured"||event.kind==="cell finished"&&event.measurement.status!=="measured"?"red":void 0}function openTerminal(environment,stdout=process.
stdout){let ci=environment.GITHUB_ACTIONS==="true",isTTY=stdout.isTTY===!0&&!ci;return createTerminal({stdout,isTTY,width:isTTY?
stdout.columns||80:void 0,colour:wantsColour(environment,isTTY),ci,isVerbose:ci||environment.RUNNER_DEBUG==="1",now:()=>performance.
now()})}async function openShared(environment,output=process.stdout){let terminal=openTerminal(environment,output),warn=text=>terminal.
progress({kind:"warning",text}),{[Symbol.asyncDispose]:end,...lifetime}=openRunLifetime({warn,afterKilling:()=>{restore(),
restoreSummary()}}),restore=guardCommandFiles(["GITHUB_ENV","GITHUB_PATH"],environment,warn),restoreSummary=guardCommandFiles(
["GITHUB_STEP_SUMMARY"],environment,warn),runner=await openRunner(environment);return{environment,terminal,...lifetime,runner:{
...runner,addSummary:async markdown=>{restoreSummary(),restoreSummary=()=>{},await runner.addSummary(markdown)}},answer:text=>{
process.stdout.write(text)},[Symbol.asyncDispose]:async()=>{await end(),terminal.finish()}}}async function withShared(environment,use,output){
var _stack=[];try{let shared=__using(_stack,await openShared(environment,output),!0);let status=await use(shared);return shared.
cancelledBy()??status}catch(_){var _error=_,_hasError=!0}finally{var _promise=__callDispose(_stack,_error,_hasError);_promise&&
await _promise}}async function runProgram(main2){process.stdout.on("error",()=>{}),process.stderr.on("error",()=>{}),catchFaults(),
takeHandedVariables(process.env);let tellEnd=endTeller(process.env);process.exitCode=await main2(process.argv.slice(2)).
catch(error=>{let{text,status}=explain(error);return process.stderr.write(text),status}),tellEnd(),setTimeout(()=>process.
exit(),3e3).unref()}var withInputs={plan,measure,report,run},workstation=()=>import("./workstation.js");async function main(argv){let wanted=parseArguments(
argv,process.env);switch(wanted.kind){case"help":return process.stdout.write(helpText(wanted.of)),exitStatus.fine;case"v\
ersion":return process.stdout.write(`${package_default.version}
`),exitStatus.fine;case"announce":return await withShared(process.env,async shared=>(await announce(wanted,announcePorts(
shared)),exitStatus.fine)).catch(error=>(process.stderr.write(`no announcement: ${printableLines(messageOf(error))}
`),exitStatus.fine));case"post":return await withShared(process.env,async shared=>(await post(wanted,postPorts(shared)),
exitStatus.fine));case"trends":return await withShared(process.env,async shared=>{let{trends,trendsPorts}=await workstation();
return await trends(wanted,trendsPorts(wanted,shared)),exitStatus.fine});case"check":return await withShared(process.env,
async shared=>{let{check,checkPorts}=await workstation();return await check(wanted,checkPorts(wanted,shared))});case"ini\
t":return refuseTokens(process.env),await withShared(process.env,async shared=>{let{init,initPorts}=await workstation(),
planned=await init(wanted,initPorts(shared));return planned===void 0?exitStatus.fine:await planRequest(planned,runPorts(
shared))});case"explain":return await withShared(process.env,async shared=>{let{explain:explain2,explainPorts}=await workstation();
return await explain2(wanted,explainPorts(wanted,shared)),exitStatus.fine},process.stderr);case"bisect":return await withShared(
process.env,async shared=>{let{bisect,bisectPorts}=await workstation(),ports=bisectPorts(shared);return await refuseOptions(
wanted,ports.request),await bisect(wanted,ports)});case"again":case"run":{let{isJson=!1}=wanted;return await withShared(
process.env,async shared=>{let ports=runPorts(shared);if(await refuseOptions(wanted,ports.request),wanted.kind==="run")return await withInputs[wanted.
verb](wanted.raw,ports,{isJson});let{again}=await workstation();return await again(wanted,ports)},isJson?process.stderr:
process.stdout)}}}await runProgram(main);
