#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);
import{InputError,__callDispose,__using,cellSchema,chooseArtifact,commentEvent,commentWords,compare,compareResults,defined,
exitStatus,exitStatusOf,fillInEndpoints,groupBy,idOfReport,inputsOf,inputsSchema,isReportName,linksOf,measureApps,measurementSchema,
messageOf,nearest,openForge,openPosting,optionWord,outputsOf,package_default,parseExplaining,plan,planCells,planRequest,
planSchema,plural,printableLines,publish,pullOfRun,readCommandLine,readInputs,readRawInputs,readRequest,refuseOptions,refuseTokens,
renderAnnouncement,renderComment,renderSummary,renderWithdrawal,reportNothing,reportOf,rows,run,runPorts,runProblem,runProgram,
scanRawInputs,settingsOf,startDeadline,withShared,wrap}from"./engine.js";async function announce({reportId,mode,isWithdrawal},{progress,links,comment}){let outcome=mode==="never"?{kind:"none",reason:"\
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
sts to learn requests from: off, a file or folder, or -k WORDS, as in pytest. Default: all that send requests."},{name:"\
overwrite",description:"Replace existing files. By default, their content is kept.",isSwitch:!0}]};function parseInit(words){
let{values}=readCommandLine(initUsage,words),given=name=>values.get(name)??[],appFolders=[...new Set(given("working-dire\
ctory").map(plainFolder))],python=given("python").at(-1),script=given("script").at(-1),tests=given("tests").at(-1);return{
apps:[...new Set(given("app"))],appFolders,...python!==void 0&&{python},...script!==void 0&&{script:plainFolder(script)},
...tests!==void 0&&{tests:choiceOf(tests)},overwrites:values.has("overwrite")}}function choiceOf(written){if(written==="\
off")return{kind:"none"};let[,words]=/^-k[ =]*(.+)$/.exec(written)??[];return words===void 0?{kind:"path",path:plainFolder(
written)}:{kind:"words",words}}function plainFolder(written){return written.replace(/^(?:\.\/+)+/,"").replace(/\/+$/,"")||
"."}var jsonOption={name:"json",description:"Print the JSON of `explain` on standard output, and everything else on standard\
 error.",isSwitch:!0},commands={init:{summary:"write a configuration for each app, and a workflow",details:"It starts ea\
ch app to find its endpoints, and shows every file that it writes.",options:initUsage.options},check:{summary:"request e\
ach endpoint once, and show which keys are missing",details:"It starts the app as `run` does and measures nothing. It ex\
its with 2 if anything is missing.",inputsOf:"check",options:[{name:"watch",description:"Check again whenever the config\
uration file changes.",isSwitch:!0},{name:"json",description:"Print JSON only.",isSwitch:!0}]},run:{summary:"plan, measu\
re, compare and report on this machine",inputsOf:"run",options:[jsonOption]},explain:{summary:"print verdicts, causes an\
d advice as JSON",details:"It reads `loadtest-results` or another folder, and prints at most 8 kB.",words:"[RESULTS]",options:[
{name:"all",description:"Print everything, however long.",isSwitch:!0},{name:"markdown",description:"Print the comment a\
s markdown.",isSwitch:!0}]},again:{summary:"measure one cell again to see whether the slowdown is gone",details:"The rep\
ort has the command for each slower cell. It measures for one minute, unless `--max-minutes` is set, and exits with 0 on\
ly if the slowdown is gone.",words:"CELL",inputsOf:"run",options:[jsonOption]},bisect:{summary:"find the commit at which\
 an endpoint got slower or faster",details:"It measures the commits that `git bisect` chooses, in its own checkout, with\
 the current settings, for four minutes per comparison unless `--max-minutes` is set. Commits that do not start are skip\
ped. To continue a search that ended early, run it again. It exits with 0 when the commit is found or the ends do not di\
ffer, and with 3 when the result is not certain.",inputsOf:"run",options:[{name:"good",description:"A commit before the \
change: a branch, tag or hash."},{name:"bad",description:"A commit with the change."},{name:"endpoint",description:"The \
endpoint, as in `endpoints`. By default, the one that changed most."}]},plan:{summary:"list the cells and how long measu\
ring them will take",details:"A cell is one endpoint at one worker count. No server is started.",inputsOf:"plan"},measure:{
summary:"measure the cells, and write a file for each to the results folder",inputsOf:"measure"},report:{summary:"write \
the report, and the comment, from the results folder",inputsOf:"report"},announce:{summary:"announce the run in the comm\
ent on the pull request",details:"A workflow does this before any code of the pull request runs.",inputsOf:"announce",options:[
{name:"withdraw",description:"Withdraw the announcement of a cancelled run.",isSwitch:!0}]},post:{summary:"post another \
run's report as a comment",details:"It is for workflows that start on `workflow_run`.",inputsOf:"post"},trends:{summary:"\
draw the recorded history as a page, with its change points",inputsOf:"trends"},export:{summary:"write manifests that ge\
nerate the load on Kubernetes",details:"k6-operator runs them. The load is split as with `generators`.",words:"k6-operat\
or",inputsOf:"run"}},commandNames=Object.keys(commands),width=80;function helpText(command){return`${(command===void 0?overview():
helpOf(command,commands[command])).join(`
`)}
`}function overview(){let widest=Math.max(...commandNames.map(({length})=>length));return["fastapi-loadtest: load-tests \
a FastAPI app and compares it with its base","Usage: fastapi-loadtest COMMAND [OPTION...]","","Commands (`help COMMAND` \
describes a command and its options):",...commandNames.map(name=>`  ${name.padEnd(widest)}  ${commands[name].summary}`),
"","Options of run:",...groupsOf("run").flatMap(([subject,options])=>named(subject,options.map(optionWord).join(" "))),"",
"Examples:","  fastapi-loadtest run --base main --max-minutes 5   Did this branch get slower?","  fastapi-loadtest run -\
-base none --workers 1,2,4   How many workers?","","Exit status: 0 success, 1 a regression or a broken threshold, 2 inva\
lid input,","3 the app, its database or k6 failed, 4 an internal error"]}var titleWidth=15;function named(title,text){let indent="\
 ".repeat(titleWidth+2);return wrap(`  ${title.padEnd(titleWidth)}${text}`,width,indent)}function groupsOf(verb){return[
...groupBy(inputsOf(verb),({subject})=>subject)]}function helpOf(name,{summary,details,words,inputsOf:verb,options=[]}){
let first=`${summary.slice(0,1).toUpperCase()}${summary.slice(1)}.`;return[["Usage: fastapi-loadtest",name,words,"[OPTIO\
N...]"].filter(each=>each!==void 0).join(" "),"",...wrap(details===void 0?first:`${first} ${details}`,width),...options.
length===0?[]:["",...options.flatMap(described)],...verb===void 0?[]:groupsOf(verb).flatMap(([subject,own])=>["",`${subject}\
:`,...own.flatMap(described)])]}function described(option){let{name,alias,isFlag,isSwitch,fallback="",description}=option,
value=isFlag||isSwitch?"":" VALUE",forms=[...[`--${name}${value}`,...alias===void 0?[]:[`--${alias}${value}`]],...isFlag?
[`--no-${name}`]:[]].join(", "),text=`      ${description.replaceAll("`","")}${fallback===""?"":` [${fallback}]`}`;return[
`  ${forms}`,...wrap(text,width,"      ")]}function parseArguments(argv,environment){let[verb,...rest]=argv;if(verb===void 0)return{kind:"help"};if(verb==="help"||
argv.includes("--help")||argv.includes("-h")){let[of]=argv.filter(word=>word!=="help"&&!word.startsWith("-"));return of===
void 0?{kind:"help"}:{kind:"help",of:commandNamed(of)}}if(verb==="--version")return{kind:"version"};if(verb==="reproduce")
throw new InputError([`reproduce: is a separate program; run \`${["node reproduce/dist/reproduce.js",...rest].join(" ")}\
\``]);let command=commandNamed(verb);switch(command){case"run":return{kind:"run",verb:"run",...scanRun(rest,environment)};case"\
again":{let[cell="",...options]=rest;if(cell.startsWith("-")||!cellSchema.shape.id.safeParse(cell).success)throw new InputError(
[`again: must be followed by the id of a cell, as the comment has it (got ${JSON.stringify(cell)})`]);return{kind:"again",
verb:"run",cell,...scanRun(options,environment)}}case"bisect":{let names=["good","bad","endpoint"],{raw,problems,texts}=scanRawInputs(
"run",rest,environment,[],names),{good,bad,endpoint}=texts;if(problems.length===0&&(!good||!bad))throw new InputError(["\
bisect: needs `--good` and `--bad`, commits before and after the change, e.g. --good v1.2 --bad main"]);return{kind:"bis\
ect",verb:"run",...{good:good??"",bad:bad??""},...endpoint&&{endpoint},raw,problems}}case"explain":return{kind:"explain",
...parseExplaining(rest)};case"plan":case"measure":case"report":{let{raw,problems}=scanRawInputs(command,rest,environment);
return{kind:"run",verb:command,raw,problems}}case"check":{let{raw,switches}=readRawInputs("check",rest,environment,["jso\
n","watch"]);return{kind:"check",raw,isJson:switches.has("json"),isWatching:switches.has("watch")}}case"init":return{kind:"\
init",...parseInit(rest)};case"export":{let[to,...options]=rest;if(to!=="k6-operator")throw new InputError([`export: mus\
t be followed by k6-operator (got ${JSON.stringify(to??"")})`]);let{raw,problems}=scanRawInputs("run",options,environment);
return{kind:"export",verb:"run",raw,problems}}case"post":return{kind:"post",...parsePosting(readRawInputs("post",rest,environment).
raw)};case"announce":{let{raw,switches}=readRawInputs("announce",rest,environment,["withdraw"]);return{kind:"announce",...parseAnnouncing(
raw,switches.has("withdraw"))}}case"trends":return{kind:"trends",...parseTrending(readRawInputs("trends",rest,environment).
raw)}}}function scanRun(options,environment){let{raw,problems,switches}=scanRawInputs("run",options,environment,["json"]);
return{raw,problems,...switches.has("json")&&{isJson:!0}}}function commandNamed(name){let command=commandNames.find(each=>each===
name);if(command!==void 0)return command;let meant=nearest(name,commandNames),hint=meant===void 0?`choose from ${commandNames.
join(", ")}`:`did you mean ${meant}?`;throw new InputError([`unknown command ${JSON.stringify(name)}; ${hint}`])}async function measure(raw,ports){refuseTokens(ports.environment);let request=await readRequest("measure",raw,ports.request),
apps=await fillInEndpoints(request,ports),number=generatorNumber(ports.environment.LOADTEST_GENERATOR),workloads=apps.map(
({workload})=>withNumber(workload,number)),plan2=await planCells(apps,ports.planPorts({forMatrix:!1})),{measurements,problems}=await measureApps(
plan2,workloads,workload=>ports.measurePorts(request.reporting,workload));if(problems.length>0)throw new InputError(problems);
return measurements.every(({status})=>status==="measured"||status==="not reached")?exitStatus.fine:exitStatus.environmentFailed}
function generatorNumber(text=""){if(text!==""){if(/^[1-9]\d?$/.test(text))return Number(text);throw new InputError([`LO\
ADTEST_GENERATOR: must be a generator's number, e.g. 2 (got ${JSON.stringify(text)})`])}}function withNumber(workload,number){
if(number===void 0)return workload;let{generators}=workload;if(generators!==void 0&&number<=generators.count)return{...workload,
generators:{...generators,number}};throw new InputError([`LOADTEST_GENERATOR: there is no generator ${number}: generator\
s is ${generators?.count??1}`])}function plainMeasurement(measurement){let{cell,failure,loneArm,environment,instructions,diagnosis:_,redirects:__,notices:____,
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
0?[]:[`Left out ${plural(lost,"document")} that this version did not write.`];return{kind:"report",comparison:{...comparison,
warnings:["These figures come from another run, and its code could have invented them.",...lostWarnings,...comparison.warnings]}}}
function planIn(documents){let document=documents.find(({name})=>name==="plan.json"),plan2=planSchema.safeParse(valueIn(
document?.text??"")).data;if(plan2===void 0||new Set(plan2.cells.map(({id})=>id)).size<plan2.cells.length)return;let thresholds=plan2.
check?.thresholds?.map(plainThreshold),{settings:_,...rest}=plan2;return{...rest,cells:plan2.cells.map(plainCell),...plan2.
check&&{check:{...plan2.check,...thresholds&&{thresholds}}}}}function measurementIn({name,text}){let measurement=measurementSchema.
safeParse(valueIn(text)).data;return measurement!==void 0&&name===`cells/${measurement.cell.id}.json`?plainMeasurement(measurement):
void 0}function valueIn(text){if(!(jsonDepth(text)>deepest))try{return JSON.parse(text)}catch{return}}function jsonDepth(text){
let depth=0,deepest2=0,isInString=!1;for(let index=0;index<text.length;index++){let unit=text[index];isInString?unit==="\
\\"?index++:unit==='"'&&(isInString=!1):unit==='"'?isInString=!0:unit==="["||unit==="{"?deepest2=Math.max(deepest2,++depth):
(unit==="]"||unit==="}")&&depth--}return deepest2}async function post(posting,ports){let outcome=await postReport(posting,ports);return ports.progress(commentEvent(outcome)),
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
runner.context,runner.runOfEvent,environment,{signal})}}var withInputs={plan,measure,report,run},workstation=()=>import("./workstation.js");async function main(argv){let wanted=parseArguments(
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
shared))});case"explain":return await withShared(process.env,async shared=>{let{explain,explainPorts}=await workstation();
return await explain(wanted,explainPorts(wanted,shared)),exitStatus.fine},process.stderr);case"bisect":return await withShared(
process.env,async shared=>{let{bisect,bisectPorts}=await workstation(),ports=bisectPorts(shared);return await refuseOptions(
wanted,ports.request),await bisect(wanted,ports)});case"export":case"again":case"run":{let isJson=wanted.kind!=="export"&&
wanted.isJson===!0;return await withShared(process.env,async shared=>{let ports=runPorts(shared);if(await refuseOptions(
wanted,ports.request),wanted.kind==="run")return await withInputs[wanted.verb](wanted.raw,ports,{isJson});let{again,exportForOperator}=await workstation();
return wanted.kind==="again"?await again(wanted,ports):await exportForOperator(wanted.raw,ports)},isJson?process.stderr:
process.stdout)}}}await runProgram(main);
