from fastapi import APIRouter

router = APIRouter()


@router.get("/api/health")
def health() -> str:
    return "well"
